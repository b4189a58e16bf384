"""The workspace, its settings, and which of them count (SPEC.md section 1).

Settings are trusted by where they are: what leaves the workspace or lifts the terminal rule counts only in
the user's own file or after `memtui trust`, which keeps the settings file's hash outside the workspace.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memtui.settings import DOT, Settings, is_inside, read_toml, resolve

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
    def memory(self) -> Path:
        return self.settings.memory

    @property
    def spool(self) -> Path:
        return self.settings.spool

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
    _check_layout(root, planned, trusted=True)
    try:
        root.mkdir(parents=True, exist_ok=True)
        (root / DOT).mkdir(mode=0o700)
        _write_new(root / DOT / ".gitignore", "*\n")
        if text:
            _write_new(root / DOT / "config.toml", text)
        for made in (planned.memory, planned.spool, planned.spool / "decisions", planned.state):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"cannot make {root / DOT}: {error.strerror}") from error
    if text:
        trust(root)
    return load(root)


def load(root: Path) -> Workspace:
    """The workspace in `root` with the settings that count. Raises WorkspaceError on an impossible layout."""
    path = root / DOT / "config.toml"
    own, problem = read_toml(user_config_path())
    text, trouble = read_toml(path)
    trusted = _trusted(path)
    settings = replace(resolve(root, text, own, trusted=trusted), problem=trouble or problem)
    _check_layout(root, settings, trusted=trusted)
    return Workspace(root, settings)


# --- trust ---------------------------------------------------------------------------------------


def trust(root: Path) -> Path:
    """Let the workspace's settings file count as it is now. Raises WorkspaceError where there is none."""
    path = root / DOT / "config.toml"
    if not path.is_file():
        raise WorkspaceError(f"{path} does not exist: there are no settings to trust")
    store = _trust_path()
    hashes = _read_trust(store)
    hashes[str(path.resolve())] = _hash(path)
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = store.with_name(f".{store.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(hashes, indent=1), encoding="utf-8")
    temporary.chmod(0o600)
    temporary.replace(store)
    return path


def _trusted(path: Path) -> bool:
    return path.is_file() and _read_trust(_trust_path()).get(str(path.resolve())) == _hash(path)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_trust(store: Path) -> dict[str, str]:
    try:
        read = json.loads(store.read_text(encoding="utf-8"))
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


def _check_layout(root: Path, settings: Settings, *, trusted: bool) -> None:
    """Refuse folders that lie in each other's way, or outside without trust (SPEC.md section 1).

    Memory and spool do not nest, except inside `.memtui/`; `memory` itself may be a symbolic link, the person's
    own. Raises WorkspaceError.
    """
    dot = root / DOT
    if dot.is_symlink():
        raise WorkspaceError(f"{dot} is a symbolic link: a workspace keeps its own {DOT} folder")
    for name, path in (("spool", settings.spool), ("state", settings.state)):
        if not trusted and not is_inside(path, root):
            raise WorkspaceError(
                f"the {name} {path} leads out of the workspace: see where, then `memtui trust`"
            )
        if path.exists() and not path.is_dir():
            raise WorkspaceError(f"the {name} {path} is no folder: move it away")
    real = {name: Path(os.path.realpath(getattr(settings, name))) for name in ("memory", "spool", "state")}
    real_dot = Path(os.path.realpath(dot))
    if settings.memory.exists() and not settings.memory.is_dir():
        raise WorkspaceError(
            f"the memory {settings.memory} is no folder: name the folder that holds the notes"
        )
    if real["memory"] == real_dot:
        raise WorkspaceError(f"memory cannot be {DOT} itself: set it to the folder that holds the notes")
    for name in ("spool", "state"):
        below = real[name].is_relative_to(real["memory"]) and not real[name].is_relative_to(real_dot)
        if below or real["memory"].is_relative_to(real["spool"]):
            raise WorkspaceError(
                f"memory ({settings.memory}) and {name} ({getattr(settings, name)}) lie one inside the other: "
                "set them to separate folders"
            )
    if not trusted and not _may_be_spool(settings.spool, dot):
        raise WorkspaceError(
            f"{settings.spool} holds files and was never a spool, whose files memtui takes away: "
            "see what is in it, then `memtui trust`"
        )


def _may_be_spool(spool: Path, dot: Path) -> bool:
    """Whether a folder can be used as a spool: the workspace's own, one that was used before, or an empty one."""
    if spool == dot / "spool" or not spool.exists() or (spool / "decisions").is_dir():
        return True
    return not any(spool.iterdir())


def _settings_text(memory: str | None, spool: str | None) -> str:
    lines = [
        f"{name} = {json.dumps(value)}\n" for name, value in (("memory", memory), ("spool", spool)) if value
    ]
    return "".join(lines)


def _write_new(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
