"""`$EDITOR`: a text in a private temporary file, the terminal lent to another program and taken back."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from textual.app import App, SuspendNotSupported

from memtui.notes.way import NEW

_PREFIX = "memtui-edit-"
_TEXT = "edit.md"
_LABEL = "label"
"""Beside the text: the digest of the text that was given, and what it is a text of."""
_running: subprocess.Popen[bytes] | None = None
"""The editor that has the terminal now."""


class EditorFailed(Exception):
    """Why there is no edited text, in one sentence; what was there stays as it was."""


def command() -> list[str]:
    """`$VISUAL`, then `$EDITOR`. Raises EditorFailed where neither is set or can be found."""
    wanted = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(wanted)
    except ValueError:
        words = []
    if not words:
        raise EditorFailed("no editor is set: put its name into $VISUAL or $EDITOR")
    if shutil.which(words[0]) is None:
        raise EditorFailed(f"the editor {words[0]} is not there: look at $VISUAL and $EDITOR")
    return words


def edit(app: App[int], text: str, *, label: str, keep: Callable[[str], object]) -> str:
    """The text as the person left it in the editor. Raises EditorFailed.

    `keep` is given a text that the editor changed before its file goes: also one that an editor left which was
    ended by a signal. `label` says later what it is a text of, should this process be killed meanwhile.
    """
    words = command()
    directory = Path(tempfile.mkdtemp(prefix=_PREFIX))
    path = directory / _TEXT
    held = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        given = text.encode("utf-8", "surrogatepass")
        _write_private(directory / _LABEL, f"{_digest(given)}\n{label}".encode("utf-8", "surrogatepass"))
        _write_private(path, given)
        status = _run(app, [*words, str(path)], held)
        if status > 0:
            raise EditorFailed(f"the editor ended with {status}: nothing was taken over")
        left = path.read_bytes()
        edited = left.decode("utf-8")
        if left != given:
            keep(edited)
        if status < 0:
            kept = "what it had saved is kept as a draft" if left != given else "nothing was taken over"
            raise EditorFailed(f"the editor was ended: {kept}")
        return edited
    except UnicodeDecodeError as error:
        raise EditorFailed("what the editor left is not UTF-8: nothing was taken over") from error
    except OSError as error:
        raise EditorFailed(f"the edited file cannot be read: {error.strerror}") from error
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        os.close(held)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_private(path: Path, data: bytes) -> None:
    opened = os.open(path, NEW, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(data)


def take_left(take: Callable[[str, bytes, Path], bool]) -> None:
    """Offer each text that a memtui which was killed left, once no editor is open on it.

    `take` gets its label, the text and its file, and says whether it is done with: then it goes. One that nobody
    changed goes anyway. An editor holds the lock on its folder as long as it runs.
    """
    for left in sorted(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")):
        with suppress(OSError):
            held = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if os.fstat(held).st_uid == os.getuid():
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if _is_done_with(left, take):
                        shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(held)


def _is_done_with(left: Path, take: Callable[[str, bytes, Path], bool]) -> bool:
    try:
        digest, _, label = (left / _LABEL).read_bytes().decode("utf-8", "surrogatepass").partition("\n")
        text = (left / _TEXT).read_bytes()
    except (FileNotFoundError, UnicodeDecodeError):  # killed before the editor began
        return True
    return _digest(text) == digest or take(label, text, left / _TEXT)


def _run(app: App[int], words: list[str], held: int) -> int:
    """Lend the terminal. What goes wrong inside is caught inside: `suspend` would not restore the terminal."""
    trouble: OSError | None = None
    status = 0
    try:
        with app.suspend():
            try:
                status = _wait(words, held)
            except OSError as error:
                trouble = error
    except SuspendNotSupported as error:
        raise EditorFailed("the terminal cannot be lent to an editor here") from error
    if trouble is not None:
        raise EditorFailed(f"the editor cannot be started: {trouble.strerror}")
    return status


def _wait(words: list[str], held: int) -> int:
    """Run the editor to its end, which holds on to what is locked. Raises OSError.

    `^c` in it is its own: a handler does not pass to a child.
    """
    global _running
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        _running = subprocess.Popen(words, pass_fds=(held,))
        return _running.wait()
    finally:
        _running = None
        signal.signal(signal.SIGINT, before)


def stop(*, kill: bool) -> None:
    """End the editor that runs now, if one does: asked, or made to. From any thread."""
    running = _running
    if running is not None:
        running.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
