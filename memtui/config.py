"""The workspace, its settings, and which of them count (SPEC.md section 1).

Settings are trusted by where they are: what leaves the workspace or lifts the terminal rule counts only in
the user's own file or after `memtui trust`, which keeps the hash of the settings file, of a link's target and of
a journal's mark outside the workspace.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memtui.notes.way import NEW, walk, walked
from memtui.settings import (
    DOT,
    Settings,
    SpoolPlace,
    read_regular,
    read_toml,
    real_path,
    resolve,
    why_no_spool,
)

_XDG = {"config": ("XDG_CONFIG_HOME", "~/.config"), "data": ("XDG_DATA_HOME", "~/.local/share")}


class WorkspaceError(Exception):
    """No workspace, or one that cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A directory that holds `.memtui/`, with its settings."""

    root: Path
    settings: Settings

    @property
    def dot(self) -> Path:
        return self.root / DOT

    @property
    def config(self) -> Path:
        return self.dot / "config.toml"

    @property
    def grants(self) -> Path:
        """Where remembered approvals are kept: a real path."""
        return real_path(self.dot) / "grants.json"

    @property
    def memory(self) -> Path:
        return self.settings.memory

    @property
    def spool(self) -> Path:
        return self.settings.spool

    @property
    def spools(self) -> tuple[SpoolPlace, ...]:
        """The workspace's own spool, named "", then those of `[[spools]]`."""
        return (SpoolPlace("", self.settings.spool), *self.settings.spools)

    @property
    def decisions(self) -> Path:
        return self.spool / "decisions"

    @property
    def state(self) -> Path:
        return self.settings.state

    @property
    def journal(self) -> Path:
        return self.state / "journal.db"


# --- finding and making --------------------------------------------------------------------------


def find(start: Path, explicit: Path | None = None, env: Mapping[str, str] | None = None) -> Workspace:
    """The workspace to use: `--workspace`, `$MEMTUI_WORKSPACE`, the nearest ancestor, the user's data folder.

    Raises WorkspaceError where there is none, or where an explicit one is not a workspace.
    """
    env = os.environ if env is None else env
    named = explicit or (Path(env["MEMTUI_WORKSPACE"]) if env.get("MEMTUI_WORKSPACE") else None)
    if named is not None:
        root = named.expanduser().absolute()
        if not (root / DOT).is_dir():
            raise WorkspaceError(f"{root} is no workspace: run `memtui init {root}` to make one")
        return load(root)
    found = ancestor(start)
    if found is not None:
        return load(found)
    fallback = _user_directory("data")
    if (fallback / DOT).is_dir():
        return load(fallback)
    raise WorkspaceError(
        "no workspace here or in any folder above: `memtui init` makes one, `memtui demo` shows one"
    )


def ancestor(start: Path) -> Path | None:
    """The nearest of `start` and the folders above it that holds `.memtui/`."""
    start = start.absolute()
    for directory in (start, *start.parents):
        if (directory / DOT).is_dir():
            return directory
    return None


def init(directory: Path, *, memory: str | None = None, spool: str | None = None) -> Workspace:
    """Make `.memtui/` in `directory` and nothing else; an existing memory folder is left as it is.

    Raises WorkspaceError where there is one already or the paths do not fit together.
    """
    root = directory.expanduser().absolute()
    if (root / DOT).exists():
        raise WorkspaceError(f"{root} is a workspace already; nothing was changed")
    text = _settings_text(memory, spool)
    import tomllib

    planned = resolve(root, tomllib.loads(text), {}, trusted=True)
    real = {name: target for name, _, target, _ in _targets(root, planned)}
    _check_layout(root, planned, real)
    try:
        root.mkdir(parents=True, exist_ok=True)
        dot = real_path(root / DOT)
        dot.mkdir(mode=0o700)
        write_private(dot / ".gitignore", b"*\n")
        if text:
            write_private(dot / "config.toml", text.encode())
        for made in (real["memory"], real["spool"], real["spool"] / "decisions", real["state"]):
            os.close(walk(made, create=True))
    except OSError as error:
        raise WorkspaceError(f"cannot make {root / DOT}: {error.strerror}") from error
    if text:
        trust(root)
    _keep_links(root, planned)
    return load(root)


def load(root: Path) -> Workspace:
    """The workspace in `root` with the settings that count. Raises WorkspaceError on an impossible layout."""
    path = real_path(root / DOT) / "config.toml"
    _refuse_link(path.parent)
    own, problem, _ = read_toml(user_config_path(), own=True)
    text, trouble, digest = read_toml(path)
    trusted = is_trusted(path, digest)
    settings = replace(resolve(root, text, own, trusted=trusted), problem=trouble or problem)
    real = _check_links(root, settings)
    _check_layout(root, settings, real)
    if not _GATE.isdisjoint((*own, *text)):
        settings = _with_gate(root, settings, own, text, trusted=trusted)
    return Workspace(root, replace(settings, memory=real["memory"], spool=real["spool"], state=real["state"]))


_GATE = frozenset(("spools", "rules"))


def _with_gate(
    root: Path, settings: Settings, own: Mapping[str, Any], shared: Mapping[str, Any], *, trusted: bool
) -> Settings:
    """The settings with the spools and rules that both files hold."""
    from memtui.rulings import read_gate

    taken = {"memory": settings.memory, "spool": settings.spool, "state": settings.state, "dot": root / DOT}
    gate = read_gate(root, own, shared, trusted=trusted, taken=taken)
    return replace(
        settings,
        spools=tuple(spool._replace(path=Path(os.path.realpath(spool.path))) for spool in gate.spools),
        rules=tuple(gate.rules),
        ignored=(*settings.ignored, *gate.ignored),
        complaints=(*settings.complaints, *gate.complaints),
    )


# --- trust ---------------------------------------------------------------------------------------


def trust(root: Path) -> tuple[Path, ...]:
    """Let the workspace's settings file and the links that lead out of it count as they are now.

    Returns those that there are. Raises WorkspaceError where they cannot be used.
    """
    path = real_path(root / DOT) / "config.toml"
    _refuse_link(path.parent)
    text, trouble, digest = read_toml(path)
    if trouble:
        raise WorkspaceError(trouble)
    if digest:
        keep_trust(path, digest)
    links = _keep_links(root, resolve(root, text, {}, trusted=True))
    return (path, *links) if digest else links


def decides_without_terminal() -> bool:
    """Whether the person's own settings lift the terminal rule, whatever a workspace says."""
    own, _, _ = read_toml(user_config_path(), own=True)
    return resolve(Path.cwd(), {}, own, trusted=False).approve_without_terminal


def keep_trust(path: Path, digest: str) -> None:
    """Let a file of a workspace count while its bytes have this SHA-256; kept outside of every workspace.

    May raise OSError.
    """
    _keep(str(path.resolve()), digest)


def keep_mark(mark: str, journal: Path) -> None:
    """Know a random word of a journal again, wherever that is moved to: its hash is kept. May raise OSError."""
    _keep(_hashed(mark), str(journal.resolve()))


def known_marks(marks: Iterable[str]) -> frozenset[str]:
    """Those of these words that were kept here."""
    kept = _read_trust(_trust_path())
    return frozenset(mark for mark in marks if _hashed(mark) in kept)


def _hashed(mark: str) -> str:
    """No path begins so."""
    return f"mark {hashlib.sha256(mark.encode()).hexdigest()}"


def _keep(key: str, value: str) -> None:
    store = real_path(_trust_path())  # the person's own folder may be a symbolic link
    with walked(store.parent, create=True) as lock:
        with suppress(OSError):  # a disk without locks: the last of two writers wins
            fcntl.flock(lock, fcntl.LOCK_EX)
        kept = _without_gone(_read_trust(store))
        kept[key] = value
        write_private(store, json.dumps(kept, indent=1).encode())


def _without_gone(kept: Mapping[str, str]) -> dict[str, str]:
    """What was kept, without workspaces that lay in the folder for temporary files and are gone, as the demo's.

    Others stay: one that is not where it was may have been moved, or its disk be away for a while.
    """
    import tempfile  # not above: reading wants none of what it brings

    passing = Path(os.path.realpath(tempfile.gettempdir()))
    places = {key: Path(value if key.startswith("mark ") else key) for key, value in kept.items()}
    return {
        key: kept[key]
        for key, place in places.items()
        if not place.is_relative_to(passing) or os.path.lexists(place.parent)
    }


def write_private(path: Path, data: bytes) -> None:
    """Write a file whole and durable, for the person alone (0600), in the place of what stands there.

    `path` is a real one. May raise OSError.
    """
    temporary = f".{path.name}.{os.urandom(4).hex()}.tmp"
    with walked(path.parent) as folder:
        descriptor = os.open(temporary, NEW, 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise


def is_trusted(path: Path, digest: str) -> bool:
    """Whether a file of a workspace counts with bytes of this SHA-256 ("" for none)."""
    return bool(digest) and _read_trust(_trust_path()).get(str(path.resolve())) == digest


def _read_trust(store: Path) -> dict[str, str]:
    try:
        read = json.loads(read_regular(store, follow=True))
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in read.items() if isinstance(v, str)} if isinstance(read, dict) else {}


def user_config_path() -> Path:
    """The person's own settings file, outside every workspace (platformdirs; `$XDG_CONFIG_HOME` on Linux)."""
    return _user_directory("config") / "config.toml"


def _trust_path() -> Path:
    return _user_directory("data") / "trusted.json"


def _user_directory(kind: str) -> Path:
    """The person's config or data folder: platformdirs' answer, which on Linux is quicker told than asked."""
    if sys.platform == "linux":
        variable, usual = _XDG[kind]
        base = Path(os.environ.get(variable, ""))
        return (base if base.is_absolute() else Path(usual).expanduser()) / "memtui"
    from platformdirs import PlatformDirs

    directories = PlatformDirs("memtui", appauthor=False)
    return directories.user_config_path if kind == "config" else directories.user_data_path


# --- layout --------------------------------------------------------------------------------------


def _targets(root: Path, settings: Settings) -> Iterator[tuple[str, Path, Path, bool]]:
    """Setting, path, where it leads, and whether symbolic links lead it out of the workspace.

    A path that lies outside by its name does not count as led out: only trusted settings say such a one.
    """
    inside = os.path.realpath(root)
    for name in ("memory", "spool", "state"):
        path: Path = getattr(settings, name)
        target = Path(os.path.realpath(path))
        by_name = Path(os.path.normpath(path)).is_relative_to(root)
        yield name, path, target, by_name and not target.is_relative_to(inside)


def _refuse_link(dot: Path) -> None:
    if dot.is_symlink():
        raise WorkspaceError(f"{dot} is a symbolic link: a workspace keeps its own {DOT} folder")


def _check_links(root: Path, settings: Settings) -> dict[str, Path]:
    """Where the folders lead, by setting: from now on they are reached on that way alone.

    `memory` itself may be a symbolic link, the person's own: one that leads out counts as `init` or `trust`
    found it, and asks again once it leads elsewhere. Raises WorkspaceError.
    """
    real = {}
    for name, path, target, out in _targets(root, settings):
        if out and not is_trusted(_link(root, name), _target(target)):
            raise WorkspaceError(
                f"the {name} {path} leads out of the workspace, to {target}: `memtui trust` lets it count"
            )
        real[name] = target
    return real


def _keep_links(root: Path, settings: Settings) -> tuple[Path, ...]:
    """Let the links that lead out of the workspace count while they lead where they do now."""
    found = tuple((name, path, target) for name, path, target, out in _targets(root, settings) if out)
    for name, _, target in found:
        keep_trust(_link(root, name), _target(target))
    return tuple(path for _, path, _ in found)


def _link(root: Path, name: str) -> Path:
    """What stands for a link among what is trusted: no file, since the link itself would be followed."""
    return root / DOT / f"{name} leads out"


def _target(target: Path) -> str:
    return hashlib.sha256(os.fsencode(target)).hexdigest()


def _check_layout(root: Path, settings: Settings, real: Mapping[str, Path]) -> None:
    """Refuse folders that lie in each other's way, by where they lead (SPEC.md section 1).

    Memory and spool do not nest, except inside `.memtui/`. Raises WorkspaceError.
    """
    dot = root / DOT
    for name, path in (("spool", settings.spool), ("state", settings.state)):
        if path.exists() and not path.is_dir():
            raise WorkspaceError(f"the {name} {path} is no folder: move it away")
    real_dot = Path(os.path.realpath(dot))
    if settings.memory.exists() and not settings.memory.is_dir():
        raise WorkspaceError(f"the memory {settings.memory} is no folder: name the one that holds the notes")
    if real["memory"] == real_dot:
        raise WorkspaceError(f"memory cannot be {DOT} itself: set it to the folder that holds the notes")
    for name in ("spool", "state"):
        below = real[name].is_relative_to(real["memory"]) and not real[name].is_relative_to(real_dot)
        if below or real["memory"].is_relative_to(real["spool"]):
            raise WorkspaceError(
                f"memory ({settings.memory}) and {name} ({getattr(settings, name)}) lie one inside the other: "
                "set them to separate folders"
            )
    if settings.spool != dot / "spool" and (why := why_no_spool(settings.spool)):
        raise WorkspaceError(why)


def _settings_text(memory: str | None, spool: str | None) -> str:
    given = (("memory", memory), ("spool", spool))
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in given if value)
