"""A program of the person's own that picks tags: JSON in, JSON out (SPEC.md section 3, tag picking).

In: `{"title", "body", "context", "tags", "dictionary": [{"tag", "level", "parent", "description"}]}`.
Out: `{"tags": [TAG, …]}`, or `{"tags": [{"tag", "because"}, …]}`. What it picks is a suggestion: the person decides.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence

from memtui.notes import tags
from memtui.proposals.model import Add, Contradiction, Json, Proposal, Update
from memtui.proposals.tagpick import MOST

SECONDS = 10
"""How long the program may take."""
Suggested = tuple[tuple[str, str], ...]


class TagCommandFailed(Exception):
    """The program did not answer as it should; one sentence."""


def suggest(command: Sequence[str], proposal: Proposal, dictionary: tags.TagDictionary) -> Suggested:
    """Tag and reason for each that the program picks, at most five. Raises TagCommandFailed."""
    try:
        ran = subprocess.run(
            list(command),
            input=json.dumps(_request(proposal, dictionary)).encode("ascii"),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TagCommandFailed(f"the tag command took more than {SECONDS} seconds") from None
    except (OSError, ValueError) as error:
        raise TagCommandFailed(f"the tag command cannot be run: {error}") from None
    if ran.returncode:
        raise TagCommandFailed(f"the tag command ended with status {ran.returncode}")
    return _read(ran.stdout)


def _request(proposal: Proposal, dictionary: tags.TagDictionary) -> Json:
    if isinstance(proposal, Contradiction) and proposal.replacement is not None:
        proposal = proposal.replacement
    title = body = context = ""
    given: tuple[str, ...] = ()
    if isinstance(proposal, Add):
        title, body, context, given = proposal.title, proposal.body, proposal.context, proposal.tags or ()
    elif isinstance(proposal, Update):
        wanted = proposal.fields.get("tags", ())
        title, body, context = str(proposal.fields.get("title", "")), proposal.body or "", proposal.reason
        given = wanted if isinstance(wanted, tuple) else ()
    known: list[Json] = [
        {"tag": tag.name, "level": tag.level, "parent": tag.parent, "description": tag.description}
        for tag in dictionary.tags.values()
    ]
    return {"title": title, "body": body, "context": context, "tags": list(given), "dictionary": known}


def _read(output: bytes) -> Suggested:
    try:
        answered = json.loads(output)
    except (ValueError, RecursionError):
        raise TagCommandFailed("the tag command did not answer with JSON") from None
    listed = answered.get("tags") if isinstance(answered, Mapping) else None
    if not isinstance(listed, list):
        raise TagCommandFailed('the tag command did not answer with {"tags": [...]}')
    picked: dict[str, str] = {}
    for item in listed:
        tag, because = (item.get("tag"), item.get("because")) if isinstance(item, Mapping) else (item, "")
        if not isinstance(tag, str) or not (name := tags.normalise(tag)):
            raise TagCommandFailed("the tag command answered with something that is no tag")
        picked.setdefault(name, str(because or "picked by the tag command"))
    return tuple(picked.items())[:MOST]
