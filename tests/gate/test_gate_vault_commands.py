"""Secrets that a program prints: read once, within bounds, and never part of a message."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from memtui.gate import vault as vault_room
from memtui.gate import vault_commands
from memtui.gate.engine import Engine
from memtui.gate.fingerprints import Marks
from memtui.gate.screen import Screen
from memtui.gate.vault import Vault, VaultClosed
from memtui.gate.vault_commands import Answer, ask
from memtui.settings import VaultSources

VALUE = "mellow-Badger!42"
KEY = "-----BEGIN THING-----\nabcdefghijklmnopqrstuvwx\n-----END THING-----"


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_commands, "_remembered", {})


def read_command(command: tuple[str, ...]) -> Answer:
    return ask([command])[0]


def read_keyring(service: str, user: str) -> Answer:
    return ask([], [(service, user)])[0]


def python(program: str) -> tuple[str, ...]:
    return (sys.executable, "-c", program, "op://home/wifi")


@pytest.mark.parametrize(
    ("printed", "values"),
    [
        (f"{VALUE}\n", (("wifi", VALUE),)),
        (f"{VALUE}", (("wifi", VALUE),)),
        (
            f"{VALUE}\nuser: ana\nurl: https://x\ntoken: abcdefgh\n",
            (("wifi", VALUE), ("wifi token", "abcdefgh")),
        ),
        (
            f"{VALUE}\notpauth://totp/x?secret=ABC\n",
            (("wifi", VALUE), ("wifi otp", "otpauth://totp/x?secret=ABC")),
        ),
        (f"{KEY}\n", (("wifi", KEY),)),
    ],
)
def test_what_a_program_prints_is_read_as_password_managers_write_it(
    printed: str, values: tuple[tuple[str, str], ...]
) -> None:
    assert read_command(python(f"print({printed!r}, end='')")) == (values, "")


BAD = {
    "print('', end='')": "it printed nothing",
    f"print({VALUE!r}); raise SystemExit(3)": "it ended with status 3: run it once yourself and see",
    "import sys; sys.stdout.buffer.write(b'caf\\xe9-longer')": "what it printed is not UTF-8",
    "while True: print('x' * 999)": "it printed more than 64 KiB",
    "import time; time.sleep(100)": "it took more than 1 seconds",
    f"import os, time\nprint({VALUE!r}, flush=True)\nos.close(1)\ntime.sleep(100)": "it took more than 1 seconds",
}


@pytest.mark.parametrize("program", BAD)
def test_one_that_fails_is_one_sentence_without_what_it_printed(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_commands, "SECONDS", 1.0)
    values, trouble = read_command(python(program))
    assert not values
    assert trouble in (BAD[program], "it took more than 1 seconds")  # a machine under load starts slowly
    assert VALUE not in trouble


@pytest.mark.parametrize("command", [("no-such-program",), ("/",), ("a\0b",), (str(Path(__file__)),)])
def test_one_that_cannot_be_run(command: tuple[str, ...]) -> None:
    values, trouble = read_command(command)
    assert not values
    assert trouble.startswith("it cannot be run (")


def test_it_has_no_terminal_no_input_and_no_shell(tmp_path: Path) -> None:
    program = (
        "import sys\ntry:\n open('/dev/tty')\n print('a-terminal')\n"
        "except OSError: print('none', repr(sys.stdin.read()), sys.argv[2:])"
    )
    command = (sys.executable, "-c", program, "x", f"$(touch {tmp_path / 'ran'})", ";")
    ((_, first),), trouble = read_command(command)
    assert not trouble
    assert first.startswith("none ''")
    assert not (tmp_path / "ran").exists()


def test_children_of_one_that_hangs_are_ended_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_commands, "SECONDS", 1.0)
    program = "import os, time\nos.fork()\ntime.sleep(100)"
    begun = time.monotonic()
    assert read_command(python(program))[1]
    assert time.monotonic() - begun < 60


def test_a_program_is_run_once_and_its_value_is_found(tmp_path: Path) -> None:
    count = tmp_path / "count"
    command = python(f"open({str(count)!r}, 'a').write('x'); print({VALUE!r})")
    vault = Vault(VaultSources(commands=(command,)), {})
    screen = Screen(vault, Engine(()), Marks(None))
    for _ in range(3):
        assert [hit.rule for hit in screen.scan_fields({"body": f"it is {VALUE}"})] == ["vault wifi"]
    assert count.read_text() == "x"
    assert [(entry.name, entry.why_not) for entry in vault.entries()] == [("wifi", "")]


def test_an_entry_of_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "keyring"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(
        f"import sys\nif sys.argv[1:] != ['get', '--', 'github.com', 'ana']: sys.exit(1)\nprint({VALUE!r})\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert read_keyring("github.com", "ana") == ((("ana", VALUE),), "")
    assert read_keyring("github.com", "bob") == ((), "the keyring has nothing for this service and user")


def test_a_keyring_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert read_keyring("a", "b")[1].startswith("the package keyring is not installed")


# --- waiting -------------------------------------------------------------------------------------


def test_programs_run_side_by_side_under_one_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vault_commands, "SECONDS", 30.0)
    one, two = tmp_path / "one", tmp_path / "two"
    meets = (
        "import pathlib, sys, time\nmine, other = map(pathlib.Path, sys.argv[1:3])\nmine.touch()\n"
        f"while not other.exists(): time.sleep(0.01)\nprint({VALUE!r})"
    )
    commands = [(sys.executable, "-c", meets, str(a), str(b), "x") for a, b in ((one, two), (two, one))]
    assert ask(commands) == [((("x", VALUE),), "")] * 2


def test_what_hangs_takes_nothing_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_commands, "SECONDS", 3.0)
    hangs, gives = python("import time; time.sleep(100)"), ("sh", "-c", f"echo '{VALUE}'", "wifi")
    assert ask([hangs, gives]) == [((), "it took more than 3 seconds"), ((("wifi", VALUE),), "")]


def test_a_child_that_holds_on_to_the_output_is_not_waited_for(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command = ("sh", "-c", f"sleep 60 & echo $! > {pid}; echo '{VALUE}'", "wifi")
    try:
        assert ask([command]) == [((("wifi", VALUE),), "")]
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)  # it is still there: an agent that was started stays


def test_an_end_of_the_process_breaks_the_wait_and_nothing_is_let_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vault = Vault(VaultSources(commands=(python("import time; time.sleep(100)"),)), {})
    screen = Screen(vault, Engine(()), Marks(None))
    told: list[str] = []

    def end(text: str) -> None:
        told.append(text)
        screen.close()

    monkeypatch.setattr(vault_room, "slow", end)
    with pytest.raises(VaultClosed):
        screen.scan_fields({"body": "text"})
    assert told == ["reading your vault"]


def test_an_answer_is_remembered_for_a_while_and_a_failure_too(tmp_path: Path) -> None:
    count = tmp_path / "count"
    for ends in (0, 1):
        command = ("sh", "-c", f"echo x >> {count}; echo '{VALUE}'; exit {ends}", "wifi")
        assert ask([command]) == ask([command])
    assert count.read_text() == "x\nx\n"
