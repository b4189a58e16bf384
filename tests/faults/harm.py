"""Real processes that go wrong at one system call: by strace's injection, else by the shim in the child.

A forked child has the shim too, and is there at once; one that is started anew takes ten times as long.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

Engine = Literal["strace", "shim", "fork"]

PROJECT = Path(__file__).parent.parent.parent
# What changes a disk. Opening is left out: a file that was just made shows at the next of these.
TRACED = (
    "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink",
    "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "fchmod", "fchmodat", "utimensat",
)  # fmt: skip
_NAME = re.compile(r"^(?:\d+ +)?(\w+)\(")
_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Harm:
    """The `nth` call of this name is where it happens. `how`: KILL, or an errno; with `+` from there on."""

    call: str
    nth: int
    how: str

    def __str__(self) -> str:
        return f"{self.how} at {self.call} {self.nth}"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: killed, or with what it said. `trouble` is what it should not have said."""

    killed: bool
    ok: bool = False
    message: str = ""
    trouble: str = ""


@functools.cache
def has_strace() -> bool:
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    tried = subprocess.run(
        ["strace", "-qq", "-o", os.devnull, "-e", "trace=none", "true"], capture_output=True, check=False
    )
    return tried.returncode == 0


def memtui_under(
    traced: Sequence[str], *args: str, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """One command of memtui, with what strace does to it (its own flags)."""
    return subprocess.run(
        ["strace", "-qq", "-f", "-o", os.devnull, *traced, sys.executable, "-m", "memtui", *args],
        cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def calls_of(root: Path, act: str, engine: Engine, *, no_links: bool = False) -> list[tuple[str, int]]:
    """Performs the act unharmed; every call that touches the disk, in order: its name and which one it is."""
    log = root.parent / "calls"
    if engine == "strace":
        ended = _run(_strace(str(log), TRACED, [_NO_LINKS] if no_links else []), root, act)
    else:
        ended = _with_shim(engine, root, act, f"log:{log}")
    assert not ended.killed, "the child was killed without any harm"
    assert not ended.trouble, ended.trouble
    seen: Counter[str] = Counter()
    found = []
    for line in log.read_text(errors="replace").splitlines():
        if match := _NAME.match(line):
            seen[match[1]] += 1
            found.append((match[1], seen[match[1]]))
    log.unlink()
    return found


def perform(
    root: Path, act: str, engine: Engine, harm: Harm | None = None, *, no_links: bool = False
) -> Ended:
    """One act in a child, harmed or not. `no_links`: on a disk that knows no hard links (strace only)."""
    if harm is None:
        return _run([], root, act)
    if engine != "strace":
        return _with_shim(engine, root, act, f"{harm.call}:{harm.nth}:{harm.how}")
    what = "signal=KILL" if harm.how == "KILL" else f"error={harm.how.rstrip('+')}"
    when = f"{harm.nth}{'+' if harm.how.endswith('+') else ''}"
    inject = [f"inject={harm.call}:{what}:when={when}", *([_NO_LINKS] if no_links else [])]
    return _run(_strace(os.devnull, [harm.call], inject), root, act)


_NO_LINKS = "inject=?link,?linkat:error=EPERM"


def _strace(log: str, calls: tuple[str, ...] | list[str], inject: list[str]) -> list[str]:
    traced = ",".join(f"?{call}" for call in {*calls, *(("linkat",) if inject else ())})
    flags = ["-qq", "-f", "--seccomp-bpf", "-o", log, "-e", f"trace={traced}"]
    return ["strace", *flags, *(part for each in inject for part in ("-e", each))]


def _with_shim(engine: Engine, root: Path, act: str, order: str) -> Ended:
    return _forked(root, act, order) if engine == "fork" else _run([], root, act, order)


def _forked(root: Path, act: str, order: str) -> Ended:
    """In a fork of this process, where no journal may be open: SQLite would take its locks for the child's."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        _act_and_end(theirs, root, act, order)
    os.close(theirs)
    try:
        with os.fdopen(ours, "rb") as said:
            words = said.read()
    finally:
        if sys.exc_info()[0] is not None:  # told to stop: it hangs
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return _ended(code, words, b"" if code == 0 and words.count(b"\n") == 0 else words)


def _act_and_end(theirs: int, root: Path, act: str, order: str) -> NoReturn:
    """The forked child: all that it says goes into the pipe."""
    from tests.faults import child

    try:
        for stream in (1, 2):
            os.dup2(theirs, stream)
        sys.stdout = sys.stderr = os.fdopen(2, "w", buffering=1)
        child.act(root, act, order)
        os._exit(0)
    except BaseException:
        os.writev(2, [traceback.format_exc().encode()])
        os._exit(1)


def _run(before: list[str], root: Path, act: str, *shim: str) -> Ended:
    """The person is the same as here: what a journal was told by whom is kept in their own settings."""
    command = [*before, sys.executable, "-m", "tests.faults.child", str(root), act, *shim]
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "MEMTUI_SCANNER": "off",
    }
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, timeout=60, check=False)
    return _ended(done.returncode, done.stdout, done.stderr)


def _ended(code: int, out: bytes, err: bytes) -> Ended:
    if code in _KILLED:
        return Ended(killed=True)
    if code != 0 or err:
        return Ended(False, trouble=err.decode(errors="replace") or f"it ended with {code}")
    said = json.loads(out)
    return Ended(False, said["ok"], said["message"])
