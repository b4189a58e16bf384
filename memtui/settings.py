"""Settings: what a settings file may hold, its defaults, and what counts without trust (SPEC.md section 1)."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from memtui.notes.way import open_file
from memtui.setting_values import Reader, table_of

DOT = ".memtui"
CATALOG_BUDGET = 2048
"""Bytes of the catalog that an agent reads, unless a setting says otherwise."""
Ruling: TypeAlias = Literal["ask", "allow", "deny"]


NEVER_ALLOWED = ("delete", "supersede", "contradiction")
"""Operations that are asked about whatever a rule says: they take something away, or leave a choice."""


class SpoolPlace(NamedTuple):
    """One spool: its name ("" for the workspace's own), its folder, and what becomes of what comes in there."""

    name: str
    path: Path
    ruling: Ruling = "ask"
    ours: bool = False
    """Its folder is memtui's own choice, or a trusted one inside the workspace: memtui makes it where it is missing."""


class Rule(NamedTuple):
    """What becomes of proposals that match everything it names; () names nothing, so all match.

    `spool`, `operation` and `path` are facts; `agent` and `source` are what a proposal says of itself.
    """

    ruling: Ruling
    spool: tuple[str, ...] = ()
    agent: tuple[str, ...] = ()
    operation: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Patterns: `?` and `*` do not cross `/`, `**` does."""
    source: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How it is named in Activity: `people/*`, `operation write, spool chat`."""
        named = [*self.path]
        for key in ("operation", "spool", "agent", "source"):
            if values := getattr(self, key):
                named.append(f"{key} {' or '.join(value or 'own' for value in values)}")
        return ", ".join(named) or "for everything"


class VaultSources(NamedTuple):
    """Where the person's own secrets are, so that no note ever holds one (SPEC.md section 4)."""

    files: tuple[Path, ...] = ()
    """`.env` files."""
    keys: tuple[str, ...] = ()
    """Names of variables whose values are secrets, whatever the name or the value looks like."""
    environment: tuple[str, ...] = ()
    """Patterns of names of environment variables: `*_TOKEN`."""
    commands: tuple[tuple[str, ...], ...] = ()
    """Programs with their arguments that print a secret: `pass show mail`."""
    keyring: tuple[tuple[str, str], ...] = ()
    """Service and user of entries in the system keyring."""


NO_VAULT = VaultSources()


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its default. Times in milliseconds or days, sizes in bytes."""

    memory: Path
    spool: Path
    state: Path
    approve_without_terminal: bool = False
    settle_ms: int = 250
    read_to_end: bool = True
    """What is longer than the screen is decided only once its end was on it."""
    catalog_budget: int = CATALOG_BUDGET
    types: tuple[str, ...] = ()
    """Entry types that the person added to the vocabulary."""
    spools: tuple[SpoolPlace, ...] = ()
    """Spools besides the workspace's own."""
    rules: tuple[Rule, ...] = ()
    """Who may write what; the first that matches counts."""
    vault: VaultSources = NO_VAULT
    journal_days: int = 365
    """How long the journal keeps contents."""
    journal_megabytes: int = 500
    """How much of contents it keeps, packed; 1,000,000 bytes each."""
    tag_command: tuple[str, ...] = ()
    """A program that picks tags instead of memtui, with its arguments; () for none."""
    title_count: bool = True
    bell: bool = False
    notify: bool = False
    """A desktop notification, by the terminal, for each arrival."""
    ascii: bool = False
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Action id to key, as the person set them."""
    problem: str = ""
    """Not empty: the settings file does not parse, and memtui only reads."""
    ignored: tuple[str, ...] = ()
    """Settings of the workspace's file that do not count until `memtui trust`."""
    complaints: tuple[str, ...] = ()
    """One sentence for each setting that is unknown or of the wrong kind; its default counts."""


LARGEST_FILE = 1 << 20
"""Bytes of a settings file."""


def read_toml(path: Path, *, own: bool = False) -> tuple[dict[str, Any], str, str]:
    """The settings, "" and the SHA-256 of what was read — or {}, one sentence that says why not, and "".

    Only the person's `own` file may be a symbolic link; in a workspace, anybody could have put it there.
    """
    try:
        data = read_regular(path, follow=own)
        import tomllib  # loaded only where there are settings

        return tomllib.loads(data.decode("utf-8")), "", hashlib.sha256(data).hexdigest()
    except FileNotFoundError:
        return {}, "", ""
    except (ValueError, RecursionError) as error:  # no TOML, or not UTF-8
        return {}, f"{path} does not parse ({error}): memtui only reads until it is mended", ""
    except OSError as error:
        why = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror
        return {}, f"{path} cannot be read ({why}): memtui only reads until it is mended", ""


def read_regular(path: Path, *, follow: bool = False, most: int = LARGEST_FILE) -> bytes:
    """A regular file of memtui's own of at most `most` bytes; no pipe is waited for. Raises OSError.

    `follow`: it, and folders on the way to it, may be symbolic links; in a workspace, anybody could have put one there,
    so `path` is a real one.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    opened = os.open(path, flags) if follow else open_file(path, flags)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB")
    return data


def resolve(root: Path, shared: Mapping[str, Any], own: Mapping[str, Any], *, trusted: bool) -> Settings:
    """Settings from the workspace's file and the person's own, the person's winning where trust matters."""
    read = Reader({**own, **shared}, table_of(own, "app") | table_of(shared, "app"))
    ignored: list[str] = []

    def place(name: str, default: Path) -> Path:
        value = read.text(shared, name)
        if not value:
            return default
        path = (root / Path(value).expanduser()).absolute()
        if trusted or is_inside(path, root):
            return path
        ignored.append(name)
        return default

    def counts(value: T, name: str) -> T | None:
        if value and not trusted:
            ignored.append(name)
            return None
        return value

    without_terminal = read.flag(table_of(own, "review"), "review.approve_without_terminal")
    shared_without = read.flag(table_of(shared, "review"), "review.approve_without_terminal")
    without_terminal = bool(counts(shared_without, "review.approve_without_terminal")) or without_terminal
    shared_command = counts(read.command(table_of(shared, "tags")), "tags.command")
    tag_command = shared_command or read.command(table_of(own, "tags"))
    settle_ms, to_end = _look(read, read.app)
    # Less, and a key would decide what was not seen.
    usual_ms, usual_to_end = (settle_ms, to_end) if trusted else _look(read, table_of(own, "app"))
    if counts(settle_ms < usual_ms, "app.settle_ms") is None:
        settle_ms = usual_ms
    if counts(to_end < usual_to_end, "app.read_to_end") is None:
        to_end = usual_to_end
    journal = table_of(own, "journal")
    if shared_journal := table_of(shared, "journal"):  # it says when contents are erased
        if trusted:
            journal |= shared_journal
        else:
            ignored.extend(f"journal.{name}" for name in shared_journal)
    vault = _vault(root, read, table_of(own, "vault"), table_of(shared, "vault"), trusted, ignored)
    return Settings(
        vault=vault,
        tag_command=tag_command,
        journal_days=read.whole(journal, "journal.days", 365, 36_500, low=1),
        journal_megabytes=read.whole(journal, "journal.megabytes", 500, 1_000_000, low=1),
        memory=place("memory", root / "memory"),
        spool=place("spool", root / DOT / "spool"),
        state=place("state", root / DOT),
        approve_without_terminal=without_terminal,
        settle_ms=settle_ms,
        read_to_end=to_end,
        catalog_budget=read.whole(read.top, "catalog_budget", CATALOG_BUDGET, 1 << 20),
        types=read.words("types"),
        title_count=read.flag(read.app, "app.title_count", True),
        bell=read.flag(read.app, "app.bell"),
        notify=read.flag(read.app, "app.notify"),
        ascii=read.flag(read.app, "app.ascii"),
        theme=read.text(read.app, "app.theme"),
        keys={k: v for k, v in table_of(own, "keys").items() if isinstance(v, str)},
        ignored=tuple(ignored),
        complaints=(*read.complaints, *_no_tables(own, shared), *_unknown(shared)),
    )


_KNOWN = (
    "memory",
    "spool",
    "state",
    "catalog_budget",
    "types",
    "spools",
    "rules",
    "review",
    "app",
    "keys",
    "vault",
    "tags",
    "journal",
)
"""Names that a settings file may hold at its top."""


def _vault(
    root: Path,
    read: Reader,
    own: Mapping[str, Any],
    shared: Mapping[str, Any],
    trusted: bool,
    ignored: list[str],
) -> VaultSources:
    """The sources that both files name; those of the workspace's own count only where it is trusted."""
    if not trusted:
        ignored.extend(f"vault.{name}" for name in shared)
        shared = {}
    found: dict[str, list[tuple[str, ...]]] = {name: [] for name in VaultSources._fields}
    for table in (own, shared):
        for name in table:
            if name not in found:
                read.complaints.append(
                    f"the setting vault.{name} is not known: see the README for those that are"
                )
                continue
            found[name] += read.word_lists(table, f"vault.{name}", nested=name in ("commands", "keyring"))
    words = {name: tuple(each[0] for each in lists) for name, lists in found.items()}
    pairs = [(each[0], each[1]) for each in found["keyring"] if len(each) == 2]
    if len(pairs) < len(found["keyring"]):
        read.complaints.append(
            "each entry of vault.keyring must be a service and a user: others do not count"
        )
    if odd := [pattern for pattern in words["environment"] if _is_of_all(pattern)]:
        read.complaints.append(
            f"the setting vault.environment has {odd[0]}, which is also for {_is_of_all(odd[0])}, and that is "
            "no secret: it does not count"
        )
    return VaultSources(
        files=tuple((root / Path(file).expanduser()).absolute() for file in words["files"]),
        keys=words["keys"],
        environment=tuple(pattern for pattern in words["environment"] if pattern not in odd),
        commands=tuple(found["commands"]),
        keyring=tuple(pairs),
    )


def _is_of_all(pattern: str) -> str:
    """A variable that every program has and a pattern names, "" for none."""
    from fnmatch import fnmatchcase

    return next(
        (name for name in ("PATH", "HOME", "SHELL", "USER", "TERM") if fnmatchcase(name, pattern)), ""
    )


def _no_tables(*files: Mapping[str, Any]) -> list[str]:
    return [
        f"the setting {name} must be a table, written [{name}]: its defaults count"
        for name in ("review", "app", "keys", "vault", "tags")
        if any(not isinstance(file.get(name, {}), dict) for file in files)
    ]


def _look(read: Reader, app: Mapping[str, Any]) -> tuple[int, bool]:
    """How long, and whether to its end, an item is looked at before a key decides it."""
    return read.whole(app, "app.settle_ms", 250, 5000), read.flag(app, "app.read_to_end", True)


def _unknown(shared: Mapping[str, Any]) -> list[str]:
    told = [
        f"the setting {n} is not known: see the README for those that are" for n in shared if n not in _KNOWN
    ]
    return [*told, "keys count in your own settings only: put them there"] if shared.get("keys") else told


def real_path(path: Path) -> Path:
    """The path of a file with the links on the way to it followed, its own not."""
    return Path(os.path.realpath(path.parent), path.name)


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path, its symbolic links followed, stays below the workspace."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def why_no_spool(path: Path) -> str:
    """Why a folder cannot be used as a spool, whose files memtui takes away; "" for one that is new, was used before
    (it holds `decisions`), is empty, or holds nothing but JSON proposals, which an agent put there first.
    """
    try:
        if not path.is_dir() or (path / "decisions").is_dir():
            return ""
        found = [each for each in path.iterdir() if not each.name.endswith(".tmp")]
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}): name another folder"
    if len(found) <= _LOOKED_AT and all(_is_proposal(each) for each in found):
        return ""
    count = len(found)
    files = (
        "1 file that memtui would take away" if count == 1 else f"{count:,} files that memtui would take away"
    )
    return f"{path} holds {files}: name an empty folder, or make {path / 'decisions'} yourself"


_LOOKED_AT = 200
"""Files of a folder that are looked at, whether they are proposals."""


def _is_proposal(path: Path) -> bool:
    import json

    try:
        read = json.loads(read_regular(real_path(path))) if path.suffix == ".json" else None
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(read, dict) and "operation" in read
