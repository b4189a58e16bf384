"""Gate: whether a proposal is asked about, applied at once, or refused (SPEC.md section 4; seed 000).

Who asks is known by the spool alone. What a proposal says of itself (agent, source, attended) narrows: it can
keep an allowing rule from matching, and never makes one match that would not have matched without it.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from memtui.config import Workspace
from memtui.proposals.model import FileChange, Plan, Proposal, Rename
from memtui.settings import NEVER_ALLOWED, Rule, Ruling

if TYPE_CHECKING:
    from memtui.gate.grants import Grant

_TOKEN = re.compile(r"\*\*|.", re.DOTALL)


class Ruled(NamedTuple):
    """What becomes of a proposal, and by what: "rule people/*", "spool chat", "grant people/*", "" for neither."""

    ruling: Ruling
    by: str = ""


class Asking(NamedTuple):
    """A proposal as the gate sees it."""

    proposal: Proposal
    plan: Plan
    spool: str = ""
    """The name of the spool that it came from, "" for the workspace's own."""
    first_seen: float = 0.0
    """Unix seconds."""

    @property
    def paths(self) -> frozenset[str]:
        """Every note that it touches, renames included; index.md and tags.md follow and do not count."""
        notes = [change for change in self.plan.changes if isinstance(change, FileChange)]
        return frozenset(path for note in notes for path in (note.path, note.origin) if path is not None)

    @property
    def named(self) -> frozenset[str]:
        """What it touches and what it names: what a narrowing rule looks at."""
        claimed = [self.proposal.target, str(self.plan.result.get("filename") or "")]
        if isinstance(self.proposal, Rename):
            claimed.append(self.proposal.new_path)
        return self.paths | {posixpath.normpath(path) for path in claimed if path}


@dataclass(frozen=True, slots=True)
class Policy:
    """The person's rules, and the ruling of each spool where no rule matches."""

    rules: Sequence[Rule] = ()
    spools: Mapping[str, Ruling] = field(default_factory=dict)

    @property
    def may_allow(self) -> bool:
        """Whether anything in it allows at all."""
        return "allow" in self.spools.values() or any(rule.ruling == "allow" for rule in self.rules)

    def rule(self, asking: Asking, grants: Iterable[Grant] = ()) -> Ruled:
        """What becomes of a proposal: the first rule that matches, else its spool's ruling, else a grant.

        What `why_asked` names is asked about whatever allows it; a denial stands.
        """
        ruled = self._said(asking, grants)
        return Ruled("ask") if ruled.ruling == "allow" and why_asked(asking) else ruled

    def _said(self, asking: Asking, grants: Iterable[Grant]) -> Ruled:
        for rule in self.rules:
            if _matches(rule, asking):
                return Ruled(rule.ruling, f"rule {rule.words}")
        ruling = self.spools.get(asking.spool, "ask")
        if ruling != "ask":
            return Ruled(ruling, f"spool {asking.spool}")
        proposal = asking.proposal
        for grant in grants:
            fits = grant.spool == asking.spool and grant.made <= asking.first_seen and bool(asking.paths)
            if fits and all(grant.covers(proposal.operation, path) for path in asking.paths):
                return Ruled("allow", f"grant {grant.path}")
        return Ruled("ask")


NO_RULES = Policy()


def policy_of(workspace: Workspace) -> Policy:
    """What the settings of a workspace say."""
    return Policy(workspace.settings.rules, {place.name: place.ruling for place in workspace.spools})


def why_asked(asking: Asking) -> str:
    """Why nothing can allow this proposal, in words that follow "since"; "" where a rule or a grant can."""
    proposal, made = asking.proposal, asking.plan
    if proposal.operation in NEVER_ALLOWED:
        return f"a {proposal.operation} is always asked about"
    if proposal.attended is False:
        return "it says that nobody watches its agent"
    if made.problems:
        return "it cannot be approved as it is"
    if made.wants or made.choices or made.new_tags:
        return "it leaves you something to pick"
    if made.notices:
        return "it has a notice"
    if not asking.paths:
        return "it changes no note"
    gone = [change for change in made.changes if isinstance(change, FileChange) and change.after is None]
    return "it takes a note away" if gone else ""


def _matches(rule: Rule, asking: Asking) -> bool:
    """Whether a rule is about this proposal. One that allows must fit to the letter and for every path; one
    that asks or denies is wide: it fits whatever the case, and for any of its paths."""
    if rule.spool and asking.spool not in rule.spool:
        return False
    strict, proposal = rule.ruling == "allow", asking.proposal
    for patterns, value in (
        (rule.operation, proposal.operation),
        (rule.agent, proposal.agent),
        (rule.source, proposal.source),
    ):
        if patterns and not _any(patterns, value, strict):
            return False
    if not rule.path:
        return True
    if strict:
        return bool(asking.paths) and all(_any(rule.path, path, True) for path in asking.paths)
    return any(_any(rule.path, path, False) for path in asking.named)


def _any(patterns: Sequence[str], text: str, strict: bool) -> bool:
    if strict:
        return any(matches(pattern, text) for pattern in patterns)
    return any(matches(_folded(pattern), _folded(text)) for pattern in patterns)


def _folded(text: str) -> str:
    """One form for every spelling that some disk takes for the same name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern fits a whole text: `?` is one character and `*` any number, without `/`; `**` crosses it.

    Takes time in proportion to both lengths, whatever the pattern.
    """
    start = re.split(r"[*?]", pattern, maxsplit=1)[0]
    if len(start) == len(pattern) or not text.startswith(start):
        return pattern == text
    tokens = _TOKEN.findall(pattern[len(start) :])
    reached = _past_stars(tokens, {0})
    for letter in text[len(start) :]:
        stepped = set()
        for place in reached:
            token = tokens[place] if place < len(tokens) else ""
            if token == "**" or (token == "*" and letter != "/"):
                stepped.add(place)
            elif token == letter or (token == "?" and letter != "/"):
                stepped.add(place + 1)
        reached = _past_stars(tokens, stepped)
    return len(tokens) in reached


def _past_stars(tokens: Sequence[str], places: set[int]) -> set[int]:
    """The places, and those behind stars that stand for nothing."""
    for place in tuple(places):
        following = place
        while following < len(tokens) and tokens[following] in ("*", "**"):
            following += 1
            places.add(following)
    return places
