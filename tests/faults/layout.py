"""Folders with traps in them, written down in one line each, and what must not change by them."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def lay(memory: Path, outside: Path, entries: tuple[str, ...]) -> None:
    """Make what is listed below `memory`; `$IN` and `$OUT` stand for both folders.

    `a/` a folder, `a => b` a symbolic link, `a |` a named pipe, `a =` a socket, `a + b` a hard link to a file outside,
    anything else a file.
    """
    for entry in entries:
        text = entry.replace("$IN", str(memory)).replace("$OUT", str(outside))
        name, _, target = text.partition(" ")
        path = memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target.startswith("=> "):
            path.symlink_to(target[3:])
        elif target == "|":
            os.mkfifo(path)
        elif target == "=":
            _make_socket(path)
        elif target.startswith("+ "):
            os.link(outside / target[2:], path)
        elif name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text("x\n")


def _make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path.name)
    finally:
        os.chdir(here)


def everything(root: Path) -> dict[str, tuple[int, int, int, object]]:
    """Of everything below a folder: mode, size, time of change, and bytes or where a link leads."""
    found: dict[str, tuple[int, int, int, object]] = {}
    for path in sorted(root.rglob("*")):
        seen = path.lstat()
        held: object = None
        if path.is_symlink():
            held = os.readlink(path)
        elif path.is_file():
            held = path.read_bytes()
        found[str(path.relative_to(root))] = (seen.st_mode, seen.st_size, seen.st_mtime_ns, held)
    return found
