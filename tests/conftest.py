"""Fixtures that every room shares: a workspace of our own, and nothing of the person's."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.config import Workspace, init
from memtui.desk import Desk
from tests.support import DEMO

_IN_MEMORY = Path("/dev/shm")
_ENOUGH = 2 << 30
"""Bytes that have to be free there."""
_numbers = itertools.count()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """All folders of the tests go with them, and lie in memory where that can be: much of the time went to syncs.

    The hundreds of commands that are run compile memtui once, into one of these folders. `--basetemp` keeps the
    others for a look.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        place = tempfile.TemporaryDirectory(prefix="memtui-tests-", dir=_memory(), ignore_cleanup_errors=True)
        config.add_cleanup(place.cleanup)
        config.option.basetemp = config.option.basetemp or f"{place.name}/tests"
        os.environ["PYTHONPYCACHEPREFIX"] = f"{place.name}/compiled"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Of a shell's background, where ^C is ignored, every command that is run would inherit that.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _memory() -> Path | None:
    """A disk in memory with room to spare; None where there is none."""
    if not os.access(_IN_MEMORY, os.W_OK) or shutil.disk_usage(_IN_MEMORY).free < _ENOUGH:
        return None
    return _IN_MEMORY


@pytest.fixture(autouse=True)
def _no_person(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the person's own settings, data folder or workspace."""
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_numbers))
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.delenv("MEMTUI_WORKSPACE", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv(
        "MEMTUI_SCANNER", "off"
    )  # its helper takes a second to load: asked only where a test is of it


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A test that hangs fails, so that hostile input which is never answered shows."""

    def stop(*_: object) -> None:
        pytest.fail("this test hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with the example notes and an empty inbox."""
    root = tmp_path / "ws"
    root.mkdir()
    shutil.copytree(DEMO / "memory", root / "memory")
    return init(root)


@pytest.fixture
def desk(workspace: Workspace) -> Iterator[Desk]:
    with Desk(workspace) as opened:
        yield opened


@pytest.fixture
def proposals() -> dict[str, Path]:
    """The example proposals by the number that their names begin with."""
    return {path.name[:2]: path for path in (DEMO / "proposals").iterdir()}
