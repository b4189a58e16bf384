"""Fingerprints of what the screen stops, and the person's word that one of them is no secret.

A fingerprint is a hash of the value with a salt of the workspace's own, so that it says nothing by itself; who
can read the salt can still try guesses. What is marked counts only while the file's hash is kept outside of the
workspace (`config.keep_trust`): a cloned workspace must not be able to switch the screen off.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memtui.config import is_trusted, keep_trust, write_private
from memtui.notes.way import walked
from memtui.settings import read_regular

_NAME = "not-secrets.json"
_SALT = 32
"""Bytes."""
_LENGTH = 8
"""Bytes of a fingerprint."""


class MarksError(Exception):
    """What was marked cannot be kept; one sentence."""


class Marked(NamedTuple):
    """What the person said is no secret; each with the Unix time at which they did."""

    fingerprints: dict[str, float]
    rules: dict[str, float]


class Marks:
    """The marks and the salt of one workspace, in its state folder (None: no marks). Thread-safe."""

    def __init__(self, state: Path | None) -> None:
        self._state = state
        self._salt = b""
        self._lock = threading.Lock()
        self.marked = Marked({}, {})
        """What is marked, by the last `refresh`."""
        self._stamp: tuple[int, ...] | None = None
        self._no_marks = self._no_salt = ""

    @property
    def problem(self) -> str:
        """Why what was marked does not count, or why fingerprints are not kept, one sentence; "" where all is well."""
        return self._no_marks or self._no_salt

    def fingerprint(self, value: str) -> str:
        """The value's salted hash, 16 hexadecimal digits; white space does not count."""
        bare = "".join(value.split()).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(bare, key=self._read_salt(), digest_size=_LENGTH).hexdigest()

    def digest(self, text: str) -> str:
        """A salted hash of a whole text, 24 hexadecimal digits: by which it is known again, and nothing else."""
        data = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._read_salt(), digest_size=12).hexdigest()

    def refresh(self) -> None:
        """Read again what another memtui has marked meanwhile."""
        if self._state is not None:
            with self._lock:
                self._read()

    def mark(self, *, fingerprint: str = "", rule: str = "", secret: bool = False) -> None:
        """Say that a fingerprint or a rule is no secret, or with `secret` that it is one after all.

        Raises MarksError.
        """
        assert self._state is not None
        path = self._state / _NAME
        with self._lock:
            self._read()
            kept = Marked(dict(self.marked.fingerprints), dict(self.marked.rules))
            for names, name in ((kept.fingerprints, fingerprint), (kept.rules, rule)):
                if name and secret:
                    names.pop(name, None)
                elif name:
                    names[name] = time.time()
            data = json.dumps(kept._asdict(), indent=1).encode()
            try:
                keep_trust(path, hashlib.sha256(data).hexdigest())
                write_private(path, data)
            except OSError as error:
                raise MarksError(f"{path} cannot be written ({error.strerror}): nothing was marked") from None
            self._stamp = None
            self._read()

    def _read(self) -> None:
        assert self._state is not None
        path = self._state / _NAME
        try:
            found = path.lstat()
            stamp: tuple[int, ...] | None = (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp is not None and stamp == self._stamp:
            return
        self._stamp = stamp
        self.marked, self._no_marks = _read_marks(path) if stamp is not None else (Marked({}, {}), "")

    def _read_salt(self) -> bytes:
        """The workspace's salt, made when it is first wanted. Where none can be kept, one for this process."""
        if not self._salt and self._state is not None:
            path = self._state / "salt"
            with self._lock, suppress(OSError):
                self._salt = _kept_salt(path)
            if not self._salt and os.path.lexists(path):
                self._no_salt = f"{path} cannot be read as memtui's own file: take it away, and mark anew"
        if not self._salt:
            self._salt = os.urandom(_SALT)
        return self._salt


def _kept_salt(path: Path) -> bytes:
    for _ in range(2):
        with suppress(FileNotFoundError):
            if len(salt := read_regular(path)) == _SALT:
                return salt
        temporary = path.with_name(f".salt.{os.urandom(4).hex()}.tmp")
        write_private(temporary, os.urandom(_SALT))
        with walked(path.parent) as folder:
            try:
                with suppress(FileExistsError):
                    os.link(temporary.name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                os.unlink(temporary.name, dir_fd=folder)
    return b""


def _read_marks(path: Path) -> tuple[Marked, str]:
    """What the file holds, where it is the one that memtui wrote; else nothing is marked, and why."""
    nothing, then = Marked({}, {}), "nothing is let through by it; mark anew what is no secret"
    try:
        data = read_regular(path)
        kept = json.loads(data)
        found = Marked(dict(kept["fingerprints"]), dict(kept["rules"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return nothing, f"{path} cannot be read as marks: {then}"
    if not is_trusted(path, hashlib.sha256(data).hexdigest()):
        return nothing, f"{path} is not as memtui left it: {then}"
    return found, ""
