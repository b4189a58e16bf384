"""A bounded part of the fault exam; `python -m tests.faults --all` is the whole.

Every act is harmed here in forked children, at the calls that Python makes; two of them inside of SQLite too, which
takes strace and a process that is started anew for each try.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.acts import ACTS
from tests.faults.exam import Exam, Point
from tests.faults.harm import Engine, has_strace

_EACH = 2
"""Points that are tried of an act; each act's are a little earlier or later in it than another's."""
_IN_DEPTH = ("approve an add", "undo an add")
"""Acts of which more is tried."""
traced = pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")


def spread(points: list[Point], count: int, share: float = 0.5) -> list[Point]:
    """So many of them, evenly; `share`: how far on in its stretch each stands, from 0 to below 1."""
    return [points[int(len(points) * (n + share) / count)] for n in range(count)]


def judge(exam: Exam, points: list[Point], chosen: list[Point]) -> None:
    wrong = [f"{point}: {sentence}" for point in chosen for sentence in exam.judge(point)]
    print(f"{len(chosen)} of {len(points)} points tried with {exam.engine}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("act", list(ACTS))
def test_an_act_that_is_killed_or_fails_leaves_all_old_or_all_new(act: str, tmp_path: Path) -> None:
    exam = Exam(tmp_path, "fork")
    points = exam.points(act)
    judge(exam, points, spread(points, _EACH, (list(ACTS).index(act) + 0.5) / len(ACTS)))


@traced
@pytest.mark.parametrize("act", _IN_DEPTH)
def test_neither_does_one_that_is_harmed_inside_of_the_journal_tear_anything(
    act: str, tmp_path: Path
) -> None:
    exam = Exam(tmp_path, "strace")
    points = exam.points(act)
    judge(exam, points, spread(points, _EACH))


@pytest.mark.parametrize(
    ("act", "engine", "count"),
    [*((act, "fork", _EACH) for act in _IN_DEPTH), pytest.param(_IN_DEPTH[0], "strace", 1, marks=traced)],
)
def test_a_recovery_that_is_killed_or_fails_can_be_run_again(
    act: str, engine: Engine, count: int, tmp_path: Path
) -> None:
    exam = Exam(tmp_path, engine)
    points = list(exam.recoveries(act, (0.7,)))
    judge(exam, points, spread(points, count))


@traced
def test_a_disk_without_hard_links_tears_nothing(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "strace")
    points = exam.points("approve an add", no_links=True)
    judge(exam, points, spread(points, 1))


def test_the_exam_works_without_strace_too(tmp_path: Path) -> None:
    exam = Exam(tmp_path, "shim")
    points = exam.points("approve a batch")
    judge(exam, points, spread(points, 1))
