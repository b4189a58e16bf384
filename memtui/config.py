"""The workspace, its settings, and which of them count (SPEC.md section 1).

Settings are trusted by where they are: what leaves the workspace or lifts the terminal rule counts only in
the user's own file or after `memtui trust`, which keeps the settings file's hash outside the workspace.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

DOT = ".memtui"
CATALOG_BUDGET = 2048
"""Bytes of the catalog that an agent reads, unless a setting says otherwise."""


class WorkspaceError(Exception):
    """No workspace, or one that cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its default. Times in milliseconds or days, sizes in bytes."""

    memory: Path
    spool: Path
    state: Path
    approve_without_terminal: bool = False
    settle_ms: int = 250
    catalog_budget: int = CATALOG_BUDGET
    types: tuple[str, ...] = ()
    """Entry types that the person added to the vocabulary."""
    title_count: bool = True
    bell: bool = False
    ascii: bool = False
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Action id to key, as the person set them."""
    problem: str = ""
    """Not empty: the settings file does not parse, and memtui only reads."""
    ignored: tuple[str, ...] = ()
    """Settings of the workspace's file that do not count until `memtui trust`."""


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
    planned = _resolve(root, tomllib.loads(text), {}, trusted=True)
    _check_layout(root, planned)
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
    own, problem = _read_toml(user_config_path())
    text, trouble = _read_toml(path)
    settings = _resolve(root, text, own, trusted=_trusted(path))
    settings = replace(settings, problem=trouble or problem)
    _check_layout(root, settings)
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
    from platformdirs import PlatformDirs

    directories = PlatformDirs("memtui", appauthor=False)
    return directories.user_config_path if kind == "config" else directories.user_data_path


# --- reading -------------------------------------------------------------------------------------


def _read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """The settings and "" — or {} and one sentence that says why they were not read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), ""
    except FileNotFoundError:
        return {}, ""
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return {}, f"{path} does not parse ({error}): memtui only reads until it is mended"
    except OSError as error:
        return {}, f"{path} cannot be read ({error.strerror}): memtui only reads until it is mended"


def _resolve(root: Path, shared: Mapping[str, Any], own: Mapping[str, Any], *, trusted: bool) -> Settings:
    """Settings from the workspace's file and the person's own, the person's winning where trust matters."""
    ignored: list[str] = []

    def place(name: str, default: Path) -> Path:
        value = shared.get(name)
        if not isinstance(value, str) or not value:
            return default
        path = (root / Path(value).expanduser()).absolute()
        inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
        if inside or trusted:
            return path
        ignored.append(name)
        return default

    review = _table(shared, "review")
    own_review = _table(own, "review")
    without_terminal = own_review.get("approve_without_terminal") is True
    if review.get("approve_without_terminal") is True:
        if trusted:
            without_terminal = True
        else:
            ignored.append("review.approve_without_terminal")
    app = {**_table(own, "app"), **_table(shared, "app")}
    types = shared.get("types", own.get("types", ()))
    return Settings(
        memory=place("memory", root / "memory"),
        spool=place("spool", root / DOT / "spool"),
        state=place("state", root / DOT),
        approve_without_terminal=without_terminal,
        settle_ms=_whole(app.get("settle_ms"), 250, 0, 5000),
        catalog_budget=_whole({**own, **shared}.get("catalog_budget"), CATALOG_BUDGET, 0, 1 << 20),
        types=tuple(t for t in types if isinstance(t, str)) if isinstance(types, list) else (),
        title_count=app.get("title_count", True) is not False,
        bell=app.get("bell") is True,
        ascii=app.get("ascii") is True,
        theme=str(app.get("theme", "")),
        keys={k: v for k, v in _table(own, "keys").items() if isinstance(v, str)},
        ignored=tuple(ignored),
    )


def _table(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = settings.get(name)
    return value if isinstance(value, dict) else {}


def _whole(value: object, default: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        return default
    return max(low, min(high, value))


def _check_layout(root: Path, settings: Settings) -> None:
    """Memory and spool do not nest, except inside `.memtui/` (SPEC.md section 1)."""
    dot = Path(os.path.realpath(root / DOT))
    memory, spool = Path(os.path.realpath(settings.memory)), Path(os.path.realpath(settings.spool))
    nested = memory.is_relative_to(spool) or (spool.is_relative_to(memory) and not spool.is_relative_to(dot))
    if nested:
        raise WorkspaceError(
            f"memory ({memory}) and spool ({spool}) lie one inside the other: set them to separate folders"
        )


def _settings_text(memory: str | None, spool: str | None) -> str:
    lines = [
        f"{name} = {json.dumps(value)}\n" for name, value in (("memory", memory), ("spool", spool)) if value
    ]
    return "".join(lines)


def _write_new(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
