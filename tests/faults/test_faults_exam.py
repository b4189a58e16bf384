"""A bounded part of the fault exam; `python -m tests.faults --all` is the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.acts import ACTS
from tests.faults.exam import Exam, Point
from tests.faults.harm import Engine, has_strace

_EACH = 2
"""Points that are tried, spread evenly, of an act that is looked at closely."""
_IN_DEPTH = ("approve an add", "undo an add")
"""Acts of which more is tried here; of each other one a single point, earlier or later in it."""


def spread(points: list[Point], count: int) -> list[Point]:
    return [points[len(points) * (2 * n + 1) // (2 * count)] for n in range(count)]


def judge(exam: Exam, points: list[Point], chosen: list[Point]) -> None:
    wrong = [f"{point}: {sentence}" for point in chosen for sentence in exam.judge(point)]
    print(f"{len(chosen)} of {len(points)} points tried with {exam.engine}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("act", list(ACTS))
def test_an_act_that_is_killed_or_fails_leaves_all_old_or_all_new(act: str, tmp_path: Path) -> None:
    engine: Engine = "strace" if has_strace() else "shim"
    exam = Exam(tmp_path, engine)
    points = exam.points(act)
    one = [spread(points, len(ACTS))[list(ACTS).index(act)]]
    judge(exam, points, spread(points, _EACH) if act in _IN_DEPTH else one)


@pytest.mark.parametrize("act", _IN_DEPTH)
def test_a_recovery_that_is_killed_or_fails_can_be_run_again(act: str, tmp_path: Path) -> None:
    exam = Exam(tmp_path, "strace" if has_strace() else "shim")
    points = list(exam.recoveries(act, (0.7,)))
    judge(exam, points, spread(points, _EACH))


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
def test_a_disk_without_hard_links_tears_nothing(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "strace")
    points = exam.points("approve an add", no_links=True)
    judge(exam, points, spread(points, _EACH))


@pytest.mark.skipif(not has_strace(), reason="the shim has been used above")
def test_the_exam_works_without_strace_too(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "shim")
    points = exam.points("approve a batch")
    judge(exam, points, spread(points, _EACH))
