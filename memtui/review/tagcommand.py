"""A program of the person's own that picks tags: JSON in, JSON out (SPEC.md section 3, tag picking).

In: `{"title", "body", "context", "tags", "dictionary": [{"tag", "level", "parent", "description"}]}`.
Out: `{"tags": [TAG, …]}`, or `{"tags": [{"tag", "because"}, …]}`. What it picks is a suggestion: the person decides.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from memtui.gate.vault_commands import until_told_to_end
from memtui.notes import tags
from memtui.proposals.model import Add, Contradiction, Json, Proposal, Update
from memtui.proposals.tagpick import MOST

SECONDS = 10
"""How long the program may take."""
_LOOK = 0.05
"""Seconds between two looks whether its answer is not wanted any more."""
Suggested = tuple[tuple[str, str], ...]


class TagCommandFailed(Exception):
    """The program did not answer as it should; one sentence."""


def suggest(command: Sequence[str], proposal: Proposal, dictionary: tags.TagDictionary) -> Suggested:
    """Tag and reason for each that the program picks, at most five. Raises TagCommandFailed."""
    with until_told_to_end(None) as told:
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise TagCommandFailed(f"the tag command cannot be run: {error}") from None
        printed = _talk(process, json.dumps(_request(proposal, dictionary)).encode("ascii"), told)
    if printed is None:
        raise TagCommandFailed(f"the tag command took more than {SECONDS} seconds")
    if process.returncode:
        raise TagCommandFailed(f"the tag command ended with status {process.returncode}")
    return _read(printed)


def _talk(process: subprocess.Popen[bytes], data: bytes, told: Callable[[], bool]) -> bytes | None:
    """What it answers, None where it takes too long; it and its children do not outlive the wait, nor this process."""
    end, sent = time.monotonic() + SECONDS, False
    try:
        while not told() and time.monotonic() < end:
            with suppress(subprocess.TimeoutExpired):
                first, sent = None if sent else data, True
                return process.communicate(first, timeout=_LOOK)[0]
        return None
    finally:
        if process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what could not be sent any more
                if pipe is not None:
                    pipe.close()


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
