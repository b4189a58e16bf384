"""A bounded part of the fault exam; `python -m tests.faults --all` is the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.acts import ACTS
from tests.faults.exam import Exam, Point
from tests.faults.harm import Engine, has_strace

_EACH = 2
"""Points that are tried of each act, spread evenly."""
_IN_DEPTH = ("approve an add", "undo an add")
"""Acts of which more is tried here."""


def judge(exam: Exam, points: list[Point], count: int) -> None:
    chosen = [points[len(points) * (2 * n + 1) // (2 * count)] for n in range(count)]
    wrong = [f"{point}: {sentence}" for point in chosen for sentence in exam.judge(point)]
    print(f"{count} of {len(points)} points tried with {exam.engine}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("act", list(ACTS))
def test_an_act_that_is_killed_or_fails_leaves_all_old_or_all_new(act: str, tmp_path: Path) -> None:
    engine: Engine = "strace" if has_strace() else "shim"
    exam = Exam(tmp_path, engine)
    judge(exam, exam.points(act), _EACH)


@pytest.mark.parametrize("act", _IN_DEPTH)
def test_a_recovery_that_is_killed_or_fails_can_be_run_again(act: str, tmp_path: Path) -> None:
    exam = Exam(tmp_path, "strace" if has_strace() else "shim")
    judge(exam, list(exam.recoveries(act, (0.7,))), _EACH)


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
def test_a_disk_without_hard_links_tears_nothing(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "strace")
    judge(exam, exam.points("approve an add", no_links=True), _EACH)


@pytest.mark.skipif(not has_strace(), reason="the shim has been used above")
def test_the_exam_works_without_strace_too(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "shim")
    judge(exam, exam.points("approve a batch"), _EACH)
