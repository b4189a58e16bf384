"""What a killed memtui left moved aside: it ends once, under the name that it had."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from memtui.settings import SpoolPlace
from memtui.storage.spool import Spool
from memtui.storage.spool_files import taken_name
from memtui.storage.spools import Spools

LONG = "y" * 245 + ".json"
NAMES = pytest.mark.parametrize("name", ["a.json", LONG], ids=["short", "long"])
DATA = b"proposed"
BESIDE = f"a-{hashlib.sha256(DATA).hexdigest()[:8]}.json"


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    made = Spool(tmp_path / "spool")
    made.ensure()
    return made


def put_aside(spool: Spool, name: str, data: bytes = DATA) -> Path:
    path = spool.path / taken_name(name)
    path.write_bytes(data)
    return path


def contents(spool: Spool) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in spool.path.iterdir() if path.is_file()}


def known(name: str, answered: bool, data: bytes = DATA) -> dict[str, dict[str, bool]]:
    return {hashlib.sha256(data).hexdigest(): {name: answered}}


def sweep(spool: Spool, names: dict[str, dict[str, bool]]) -> int:
    return spool.sweep(lambda sha256: names.get(sha256, {}))


@NAMES
@pytest.mark.parametrize("there", [{}, {"same": DATA}, {"other": b"new"}], ids=str)
def test_what_had_its_answer_goes(spool: Spool, name: str, there: dict[str, bytes]) -> None:
    for data in there.values():
        (spool.path / name).write_bytes(data)
    put_aside(spool, name)
    assert sweep(spool, known(name, True)) == 1
    assert list(contents(spool).items()) == [(name, data) for data in there.values()]


def test_what_had_its_answer_under_a_name_that_is_kept_nowhere_goes(spool: Spool) -> None:
    put_aside(spool, LONG)
    assert sweep(spool, known("", True)) == 1
    assert contents(spool) == {}


@NAMES
def test_what_waits_has_its_whole_name_again(spool: Spool, name: str) -> None:
    put_aside(spool, name)
    sweep(spool, known(name, False))
    assert contents(spool) == {name: DATA}


def test_one_answer_is_not_that_of_other_bytes_or_of_another_name(spool: Spool) -> None:
    put_aside(spool, "a.json")
    sweep(spool, known("a.json", True, b"others") | known("b.json", True))
    assert contents(spool) == {"a.json": DATA}


@NAMES
def test_what_waits_and_was_delivered_again_is_there_once(spool: Spool, name: str) -> None:
    put_aside(spool, name)
    (spool.path / name).write_bytes(DATA)
    sweep(spool, known(name, False))
    assert contents(spool) == {name: DATA}


def test_what_waits_and_whose_name_another_has_goes_beside_it(spool: Spool) -> None:
    aside = put_aside(spool, "a.json")
    (spool.path / "a.json").write_bytes(b"new")
    os.link(aside, spool.path / BESIDE)  # a sweep before this one was killed
    sweep(spool, {})
    assert contents(spool) == {"a.json": b"new", BESIDE: DATA}
    put_aside(spool, "a.json")
    (spool.path / BESIDE).unlink()
    sweep(spool, {})
    assert contents(spool) == {"a.json": b"new", BESIDE: DATA}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_given_back_and_holds_nothing_up(spool: Spool) -> None:
    put_aside(spool, "a.json").chmod(0)
    put_aside(spool, "b.json")
    assert sweep(spool, {}) == 2
    assert sorted(path.name for path in spool.path.iterdir()) == ["a.json", "b.json", "decisions"]


def test_an_answer_counts_in_its_own_spool_alone(tmp_path: Path) -> None:
    places = [SpoolPlace(name, tmp_path / (name or "own"), ours=True) for name in ("", "chat")]
    spools = Spools(places)
    spools.prepare(frozenset())
    for place in places:
        put_aside(Spool(place.path), "a.json")
    answered = known("chat/a.json", True)
    spools.prepare(frozenset(), lambda sha256: answered.get(sha256, {}))
    assert [contents(Spool(place.path)) for place in places] == [{"a.json": DATA}, {}]
