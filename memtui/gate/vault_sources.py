"""Where the values of the person's vault come from: files, the environment, programs, the keyring.

Of a file that can no longer be read the values that it had go on counting, and that is said.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.settings import VaultSources

LARGEST = 1 << 20
"""Bytes of a `.env` file that are read; a larger one is none."""


@dataclass(frozen=True, slots=True)
class Source:
    """What one source gave when it was last read."""

    name: str
    named: bool = False
    """Its keys tell which values are secrets; else all are, since the person picked them."""
    values: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    trouble: str = ""
    stamp: tuple[int, ...] = ()
    """Of a file: what shows that it has changed."""
    asked: bool = False
    """A program or the keyring was asked for it."""

    @property
    def silent(self) -> bool:
        """Whether it was asked and gave nothing: what it would have said is not looked for."""
        return self.asked and not self.values


def read_sources(
    settings: VaultSources,
    environ: Mapping[str, str],
    before: Mapping[str, Source],
    ended: threading.Event | None = None,
    slow: Callable[[], object] = int,
    *,
    again: bool = False,
) -> dict[str, Source]:
    """By name the sources that are new or say something else than `before`; in the order of the settings.

    `ended`: programs are not waited for any more. `slow` is called where they take over a second. `again`: those that
    gave nothing are asked once more.
    """
    fresh = {file.name: file for path in settings.files if (file := _read_file(path, before)) is not None}
    if not before:
        fresh.update((source.name, source) for source in _read_once(settings, environ, ended, slow))
    elif again:
        silent = frozenset(source.name for source in before.values() if source.silent)
        asked = _ask(settings, ended, slow, silent)
        fresh.update((source.name, source) for source in asked if source != before[source.name])
    return fresh


def _read_once(
    settings: VaultSources,
    environ: Mapping[str, str],
    ended: threading.Event | None,
    slow: Callable[[], object],
) -> Iterator[Source]:
    """What does not change while this process runs, or cannot be looked at without asking the person again."""
    if settings.environment:
        from fnmatch import fnmatchcase

        values = tuple(
            (name, value)
            for name, value in sorted(environ.items())
            if any(fnmatchcase(name, pattern) for pattern in settings.environment)
        )
        yield Source("environment", values=values)
    if settings.commands or settings.keyring:
        yield from _ask(settings, ended, slow)


def _ask(
    settings: VaultSources,
    ended: threading.Event | None,
    slow: Callable[[], object],
    among: frozenset[str] | None = None,
) -> Iterator[Source]:
    """What programs and the keyring say, all or those of these names."""
    from memtui.gate.vault_commands import ask

    commands = {" ".join(command): command for command in settings.commands}
    keyring = {f"keyring {service} {user}": (service, user) for service, user in settings.keyring}
    commands = {name: command for name, command in commands.items() if among is None or name in among}
    keyring = {name: entry for name, entry in keyring.items() if among is None or name in among}
    answers = ask(tuple(commands.values()), tuple(keyring.values()), ended, slow)
    for name, (values, trouble) in zip((*commands, *keyring), answers, strict=True):
        yield Source(name, values=values, trouble=trouble, asked=True)


def _read_file(path: Path, before: Mapping[str, Source]) -> Source | None:
    """None where it is as it was."""
    name = str(path)
    known = before.get(name)
    try:
        text, stamp = _read_text(path, known.stamp if known else ())
    except _Unreadable as failure:
        if known is not None and known.trouble == str(failure):
            return None
        return Source(name, True, known.values if known else (), str(failure))
    if text is None:
        return None
    from memtui.gate.env_file import read_env

    found = read_env(text)
    lines = ", ".join(map(str, found.unread[:5]))
    trouble = f"lines that are no NAME=value are not used: {lines}" if lines else ""
    return Source(name, True, found.values, trouble, stamp)


class _Unreadable(Exception):
    """Why a file is not used, in a few words."""


def _read_text(path: Path, before: tuple[int, ...]) -> tuple[str | None, tuple[int, ...]]:
    """The text and the stamp of a file; None for the text where the stamp is as before. Raises _Unreadable."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise _Unreadable("there is no such file: its values are not looked for") from None
    except OSError as error:
        raise _Unreadable(f"it cannot be read ({(error.strerror or 'unknown error').lower()})") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise _Unreadable("it is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if stamp == before:
            return None, stamp
        try:
            data = file.read(LARGEST + 1)
        except OSError as error:
            raise _Unreadable(f"it cannot be read ({(error.strerror or 'unknown error').lower()})") from None
    if len(data) > LARGEST:
        raise _Unreadable("it is larger than 1 MiB")
    try:
        return data.decode("utf-8-sig"), stamp
    except UnicodeDecodeError:
        raise _Unreadable("it is not UTF-8") from None
