"""A fault of memtui's own tells its kind and its place, and no word of what it held, such as a note or a secret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.failing import fault, said, way_to

VALUE = "mellow-Badger!42"

BROKEN = f"""
import sys, threading
from memtui import cli
from memtui.commands import status
from memtui.failing import guard_threads
value = {VALUE!r}
class Late:
    def __del__(self):
        raise ValueError(value)
def fails():
    try:
        raise OverflowError(value)
    except OverflowError as error:
        raise KeyError(value, '\\x1b[31m') from error
def in_thread(args):
    guard_threads()
    thread = threading.Thread(target=fails, name=value)
    thread.start()
    thread.join()
    return 1
def in_del(args):
    Late()
    return 1
def at_exit(args):
    import atexit
    atexit.register(fails)
    return 1
def in_command(args):
    fails()
def twice(args):
    def again(error):
        raise RuntimeError(value) from error
    from memtui.commands import common
    common.tell_failure = again
    fails()
status.status = globals()[sys.argv[1]]
sys.argv[1:] = ['status']
sys.exit(cli.main())
"""


@pytest.mark.parametrize("debug", ["", "1"])
@pytest.mark.parametrize("where", ["in_command", "in_thread", "in_del", "at_exit", "twice"])
def test_no_word_of_it_is_printed_wherever_it_comes_up(tmp_path: Path, where: str, debug: str) -> None:
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    ran = subprocess.run(
        [sys.executable, str(script), where],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "MEMTUI_DEBUG": debug},
    )
    assert ran.returncode == 1
    assert VALUE not in ran.stdout + ran.stderr
    assert "\x1b" not in ran.stderr
    told = [line for line in ran.stderr.splitlines() if line.startswith("memtui: ")]
    assert len(told) == 1
    assert "fault of memtui" in told[0]
    assert ".py:" in told[0]
    others = len(ran.stderr.splitlines()) - 1
    assert others > 0 if debug else others == 0, ran.stderr


def raised() -> Exception:
    try:
        try:
            int(VALUE)
        except ValueError as error:
            raise LookupError(VALUE) from error
    except LookupError as error:
        return error
    raise AssertionError


def test_its_place_is_named_without_the_folders_that_it_is_installed_in() -> None:
    assert fault(raised()).startswith("LookupError in commands/test_commands_faults.py:")
    with pytest.raises(TypeError) as failed:
        Path("x").relative_to(3)  # type: ignore[arg-type]
    assert fault(failed.value).startswith("TypeError in ")
    assert str(Path(sys.prefix)) not in way_to(failed.value)
    assert fault(KeyError(VALUE)) == "KeyError"


def test_the_way_to_it_names_every_one_in_the_chain() -> None:
    lines = way_to(raised()).splitlines()
    assert [line.rpartition(" ")[2] for line in lines if line.startswith("Traceback")] == [
        "ValueError",
        "LookupError",
    ]
    assert VALUE not in way_to(raised()) + said(raised())
