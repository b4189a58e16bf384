"""What tests of several rooms use: the example workspace, snapshots, decision files."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memtui.config import Workspace

DEMO = Path(__file__).parent.parent / "memtui" / "demo" / "workspace"


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and modification time (nanoseconds) of every file below `root`."""
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def decision(workspace: Workspace, id: str) -> dict[str, object]:
    """The decision file of a proposal."""
    read = json.loads((workspace.decisions / f"{id}.json").read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def memtui(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> Ran:
    """Run the real executable, with no terminal."""
    command = [sys.executable, "-m", "memtui", *map(str, args)]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, cwd=cwd, timeout=60)
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.err, ran.err
    return ran


def memtui_here(*args: str | Path, stdin: str = "") -> Ran:
    """Run a command in this process, with no terminal: for set-up, and where its words and status are the point.

    It takes a tenth of what a process takes. `memtui` is for what only a process shows: its end, its streams, its
    permissions, its imports; `test_commands_flow` goes through every day's commands that way.
    """
    from memtui.cli import main  # here, since the exam's children import this file too, and are many

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main([*map(str, args)])
    finally:
        sys.stdin = before
    for stream in (out, err):
        stream.seek(0)
    ran = Ran(status, out.read(), err.read())
    assert "Traceback" not in ran.err, ran.err
    return ran


def allow_without_terminal() -> None:
    """The person's own settings let `approve` run without a terminal."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text("[review]\napprove_without_terminal = true\n")
