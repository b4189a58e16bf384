"""What the person has to do with the screen: its state, and saying that something is no secret."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memtui.gate.fingerprints import MarksError
from memtui.gate.screen import Screen, rule_names
from memtui.proposals.model import Json
from memtui.review.items import Finding, Outcome

_FINGERPRINT = re.compile(r"[0-9a-f]{16}")


class Screening:
    """The part of the desk that keeps what is no secret."""

    screen: Screen

    def _reading_only(self, id: str = "") -> Outcome | None:
        raise NotImplementedError

    def mark(self, *, fingerprint: str = "", rule: str = "", secret: bool = False) -> Outcome:
        """Say that what has this fingerprint, or all that this rule finds, is no secret: an agent may send it again.

        `secret`: that it is one after all. A rule's mark never covers a value of the vault, which its fingerprint does.
        """
        if stopped := self._reading_only():
            return stopped
        if not secret and (why := _why_no_mark(fingerprint, rule)):
            return Outcome("", False, why)
        try:
            self.screen.marks.mark(fingerprint=fingerprint.lower(), rule=rule, secret=secret)
        except MarksError as failure:
            return Outcome("", False, str(failure))
        what = (
            f"what has the fingerprint {fingerprint.lower()}"
            if fingerprint
            else f"what the rule “{rule}” finds"
        )
        if secret:
            return Outcome("", True, f"{what} is stopped again")
        return Outcome("", True, f"{what} is no secret from now on: its agent may send it again")


def _why_no_mark(fingerprint: str, rule: str) -> str:
    if fingerprint and not _FINGERPRINT.fullmatch(fingerprint.lower()):
        return "a fingerprint has 16 hex digits: `memtui inbox` shows those of what was blocked"
    if rule.startswith("vault "):
        return "a value of your vault is marked by its fingerprint alone: `memtui inbox` shows it"
    if rule and not rule.startswith("kingfisher ") and rule not in (names := rule_names()):
        from difflib import get_close_matches

        near = get_close_matches(rule, names, 3, 0.4) or names
        return f"no rule is called “{rule}”: there are {', '.join(near)}"
    return ""


def screen_findings(screen: Screen) -> tuple[Finding, ...]:
    """What keeps the screen from working as the person set it up: sources that cannot be read, a scanner that fails."""
    found = [Finding(entry.source, entry.why_not, "vault") for entry in screen.vault.troubles()]
    screen.marks.refresh()
    if screen.marks.problem:
        found.append(Finding("", screen.marks.problem, "vault"))
    if screen.trouble:
        found.append(Finding("", screen.engine, "scanner", advice=True))
    return tuple(found)


def without_secrets(left_out: Sequence[Json], held: Mapping[str, bytes], screen: Screen) -> list[Json]:
    """What an agent is told of changes that were left out, without what stays hidden from it in the note.

    `held`: the old bytes of the notes that hold secrets, by path; as whole texts, since a line alone may not tell that
    it holds one.
    """
    texts = {path: data.decode("utf-8", "replace") for path, data in held.items()}
    shown = {path: screen.redact(text).split("\n") for path, text in texts.items()}
    return [
        {**part, "before": _redacted(part, texts[path].split("\n"), shown[path])}
        if isinstance(part, dict) and (path := str(part["path"])) in held
        else part
        for part in left_out
    ]


def _redacted(part: Mapping[str, Json], lines: Sequence[str], shown: Sequence[str]) -> str:
    """The old lines of one change, which `redact` leaves their numbers."""
    before, first = str(part["before"]), part["line"]
    if not before:
        return ""
    ends = "\n" if before.endswith("\n") else ""
    count = before.removesuffix("\n").count("\n") + 1
    start = first - 1 if isinstance(first, int) else 0
    if "\n".join(lines[start : start + count]) + ends == before and len(lines) == len(shown):
        return "\n".join(shown[start : start + count]) + ends
    return f"[redacted]{ends}"
