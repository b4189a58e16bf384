"""The scanner's helper process: what it adds, that it is offline, and that nothing depends on its health."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.gate import engine as engine_module
from memtui.gate.engine import ATTEMPTS, OFF, Engine, could_hold_token
from memtui.gate.fingerprints import Marked, Marks
from memtui.gate.screen import Screen
from memtui.gate.vault import Vault
from memtui.gate.views import View

HELPER = Path(engine_module.__file__).with_name("engine_helper.py")
TOKEN = "api" + "fy_api_" + "yk174GTzNIw6y4LXjPkOUszpCyVfqDc3GH"
TEXT = f"ключ is {TOKEN} for now"
HELLO = 'print(\'{"rules": 3, "version": "0"}\', flush=True)\n'


def no_own_rule() -> Marks:
    """As if no built-in rule knew the token: the person has said of the one that does that it finds no secrets."""
    marks = Marks(None)
    marks.marked = Marked({}, {"access token": 0.0})
    return marks


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OFF)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the scanner keeps its compiled rules, so that it compiles them once."""
    return tmp_path_factory.mktemp("rules")


@pytest.fixture
def engine(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """The real one."""
    pytest.importorskip("kingfisher_sdk")
    monkeypatch.setenv("KF_RULE_CACHE_DIR", str(compiled))
    made = Engine()
    yield made
    made.close()


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Callable[[str], Engine]]:
    """One with another program in the helper's place."""
    made: list[Engine] = []

    def start(program: str) -> Engine:
        path = tmp_path / "helper.py"
        path.write_text(f"import json, os, sys, time\n{program}")
        made.append(Engine((sys.executable, str(path))))
        return made[-1]

    yield start
    for each in made:
        each.close()


def found(engine: Engine, text: str) -> list[tuple[str, str]]:
    return [(rule, text[start:end]) for rule, start, end in engine.find(View("as it stands", text))]


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        os.sched_yield()
    return condition()


# --- what it finds -------------------------------------------------------------------------------


def test_it_finds_what_the_built_in_rules_do_not_and_says_that_it_runs(engine: Engine) -> None:
    assert "where a text could hold a token" in engine.words()
    assert found(engine, TEXT) == [("kingfisher apify-api-token", TOKEN)]
    assert found(engine, f"\ufeff\0 ü {TOKEN} \ud800") == [("kingfisher apify-api-token", TOKEN)]
    assert engine.words().startswith("built-in rules, and ")
    assert "of kingfisher" in engine.words()
    assert not engine.failed


def test_the_screen_asks_it_last_and_shows_a_bar_for_what_it_finds(engine: Engine) -> None:
    screen = Screen(Vault(), engine, no_own_rule())
    assert [hit.rule for hit in screen.scan_fields({"body": TEXT})] == ["kingfisher apify-api-token"]
    github = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
    assert [hit.rule for hit in screen.scan_fields({"body": f"{TEXT} {github}"})] == ["GitHub token"]
    shown = screen.redact(f"{TEXT} {github}")
    assert shown == "ключ is [redacted: kingfisher apify-api-token] for now [redacted: GitHub token]"
    wrapped = "".join(f"%{ord(each):02x}" for each in TOKEN)
    assert [hit.rule for hit in screen.scan_fields({"body": wrapped})] == ["kingfisher apify-api-token"]


ORDINARY = (
    "The dog is called Rex; he was born on 2019-04-02 and weighs 31.5 kg.",
    "Uses JavaScript and PostgreSQL 16, on macOS, with claude-code.",
    "1704844800-run-5k-under-25-minutes.md",
    "prefs/coding-style.md has 250 lines; see https://example.org/notes/coding.html",
    '{"operation": "write", "path": "people/lina.md", "session": "0b7ad7a4-1c1f-4c0e-9d43-0d9f4f2a6f11"}',
    '{"base_sha256": "311a237a47b5b30d448366a533083ef86e3b4f4808b19b3f1a9ccc333b621a72"}',
    "0b7ad7a4-1c1f-4c0e-9d43-0d9f4f2a6f11",
    "Отношения с мамой · 07:45 · Lisboa",
    "",
)
SUSPICIOUS = (
    TOKEN,
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "it is 9f86d081884c7d659a2feaa0c55ad015 here",
    "https://ana:pw@example.org/",
    "LTAIEctkWPBwapxttKuDP",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_it_is_not_started_for_ordinary_texts(text: str) -> None:
    assert not could_hold_token(text)


@pytest.mark.parametrize("text", SUSPICIOUS)
def test_it_is_asked_about_anything_that_could_be_a_token(text: str) -> None:
    assert could_hold_token(text)


# --- offline, and never alone ----------------------------------------------------------------------


def test_it_opens_no_socket(compiled: Path, tmp_path: Path) -> None:
    pytest.importorskip("kingfisher_sdk")
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    log = tmp_path / "calls"
    command = (
        "strace",
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-e",
        "trace=network",
        "-o",
        str(log),
        sys.executable,
        "-P",
        str(HELPER),
    )
    environ = {**os.environ, "KF_RULE_CACHE_DIR": str(compiled)}
    lines = b'{"text": "%s"}\n' % TOKEN.encode() * 3
    ran = subprocess.run(command, input=lines, capture_output=True, env=environ, timeout=100)
    if not log.exists():
        pytest.skip(f"strace cannot be used here: {ran.stderr.decode()}")
    assert ran.stdout.count(b"apify") == 3
    assert log.read_text() == ""


def test_a_socket_of_pythons_is_refused() -> None:
    program = f"import runpy; g = runpy.run_path({str(HELPER)!r}); import sys; sys.addaudithook(g['_refuse_sockets'])"
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport socket; socket.socket()"], capture_output=True, text=True
    )
    assert "works offline" in ran.stderr


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_it_ends_with_its_parent_even_on_kill_9(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text(f"import sys\n{HELLO}for line in sys.stdin: print('{{}}', flush=True)\n")
    parent = tmp_path / "parent.py"
    parent.write_text(
        "import sys, time\n"
        "from memtui.gate.engine import Engine\nfrom memtui.gate.views import View\n"
        f"engine = Engine((sys.executable, {str(helper)!r}))\n"
        f"list(engine.find(View('as it stands', {TOKEN!r})))\n"
        "print(engine._process.pid, flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, str(parent)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        pid = int(started.stdout.readline())
        assert not gone(pid)
        started.kill()
    assert eventually(lambda: gone(pid))


# --- a helper that fails ---------------------------------------------------------------------------

BAD = {
    "ends": "",
    "ends later": HELLO + "sys.stdin.readline()",
    "is no program": "this is no python",
    "hangs": "time.sleep(100)",
    "hangs later": HELLO + "time.sleep(100)",
    "answers nonsense": HELLO + "sys.stdin.readline(); print('nonsense', flush=True); time.sleep(100)",
    "answers a list": HELLO + "sys.stdin.readline(); print('[]', flush=True); time.sleep(100)",
    "answers without end": HELLO + "sys.stdin.readline()\nwhile True: sys.stdout.write('x' * 65536)",
    "says that it failed": HELLO + "for line in sys.stdin: print('{\"failed\": true}', flush=True)",
}


@pytest.mark.parametrize("how", BAD)
def test_then_the_built_in_rules_run_alone_and_that_is_said(
    how: str, fake: Callable[[str], Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "LOADING", 3.0)
    monkeypatch.setattr(engine_module, "SCANNING", 1.0)
    screen = Screen(Vault(), fake(BAD[how]), no_own_rule())
    github = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
    assert not screen.scan_fields({"body": TEXT})
    assert screen.scan_fields({"body": github})
    assert screen.engine.startswith("built-in rules alone: the scanner ")
    assert screen.trouble


def test_while_it_is_made_ready_that_is_said(fake: Callable[[str], Engine], tmp_path: Path) -> None:
    go = tmp_path / "go"
    waiting = f"import pathlib\nwhile not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n"
    engine = fake(waiting + HELLO + "sys.stdin.readline(); print('{}', flush=True)")
    asked = threading.Thread(target=lambda: found(engine, TEXT))
    assert not engine.loading
    asked.start()
    assert eventually(lambda: engine.loading)
    assert "None" not in engine.words()
    go.touch()
    asked.join()
    assert not engine.loading


def test_after_some_failures_it_is_not_tried_again(fake: Callable[[str], Engine], tmp_path: Path) -> None:
    engine = fake(f"open({str(tmp_path / 'runs')!r}, 'a').write('x')")
    for _ in range(ATTEMPTS + 3):
        assert not found(engine, TEXT)
    assert (tmp_path / "runs").read_text() == "x" * ATTEMPTS


def test_one_that_was_killed_is_started_again(fake: Callable[[str], Engine]) -> None:
    answer = '{"found": [["r", 0, 4], ["r", 3, 2], ["r", 0, 9999]]}'
    engine = fake(HELLO + f"for line in sys.stdin: print({answer!r}, flush=True)")
    assert found(engine, TEXT) == [("kingfisher r", "ключ")]
    assert engine._process is not None
    os.kill(engine._process.pid, signal.SIGKILL)
    assert not found(engine, TEXT)
    assert engine.failed
    assert found(engine, TEXT) == [("kingfisher r", "ключ")]
    assert not engine.failed


def test_a_text_longer_than_a_pipe_holds_gets_through(fake: Callable[[str], Engine]) -> None:
    engine = fake(
        HELLO
        + "for line in sys.stdin: print(json.dumps({'found': [['r', 0, len(json.loads(line)['text'])]]}), flush=True)"
    )
    text = f"{TOKEN} " * 40_000
    assert found(engine, text) == [("kingfisher r", text)]


def test_it_can_be_switched_off_and_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not found(Engine(()), TEXT)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    engine = Engine()
    assert not found(engine, TEXT)
    assert engine.words() == "built-in rules alone: the extra `secrets` is not installed"
    monkeypatch.setenv(OFF, "off")
    assert engine.words() == "built-in rules alone: MEMTUI_SCANNER is off"
    assert not engine.failed


def test_nothing_is_started_for_a_text_that_cannot_wait(fake: Callable[[str], Engine]) -> None:
    answer = '{"found": [["r", 0, 4]]}'
    engine = fake(HELLO + f"for line in sys.stdin: print({answer!r}, flush=True)")
    screen = Screen(Vault(), engine, no_own_rule())
    assert not screen.scan_fields({"body": TEXT}, wait=False)
    assert engine._process is None
    assert screen.scan_fields({"body": TEXT})
    assert screen.scan_fields({"body": TEXT}, wait=False)
