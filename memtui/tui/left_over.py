"""Drafts of proposals that wait no longer: each can go on as a note of the person's own. Blocks where it is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.review.drafts import whole_key
from memtui.tui.form import Form, Values, new_entry_form, new_note_form, read_draft

if TYPE_CHECKING:
    from memtui.desk import Desk

_NOT_BY_PERSON = ("withdrawn", "refused")
"""Verdicts that came without a word of the person's: a draft that was open then was not given up."""


def left_over(desk: Desk, keys: Iterable[str]) -> Mapping[str, str]:
    """Of these keys of drafts the ids of proposals that nobody here decided, with their headlines. Blocks."""
    found = {key: desk.journal.latest_item(key) for key in sorted(keys)}
    return {
        key: item.headline or key
        for key, item in found.items()
        if item is not None and item.verdict in _NOT_BY_PERSON
    }


def own_form(desk: Desk, id: str, headline: str) -> Form:
    """The form of a new note with what was edited of a proposal; written or discarded, its draft goes. Blocks.

    A whole text that `$EDITOR` gave back becomes the values of such a form first.
    """
    values = read_draft(desk.draft(id))
    if values is None:
        values = _values_of(desk.draft(whole_key(id)) or "")
        if desk.save_draft(id, values.dump()):
            desk.drop_draft(whole_key(id))
    form = new_entry_form() if {"title", "type"} <= values.fields.keys() else new_note_form()
    return replace(form, key=id, subtitle=f"your draft of {headline}")


def _values_of(text: str) -> Values:
    """What a form shows of a whole text: the one-line fields of a `.md` form and its body, or the note's text."""
    from memtui.notes import frontmatter
    from memtui.tui.whole_text import OVER_TEXT

    if text.startswith(OVER_TEXT):
        return Values({}, text.removeprefix(OVER_TEXT))
    data = text.encode("utf-8", "surrogatepass")
    read = frontmatter.read(data)
    fields = {name: value for name, value in read.fields.items() if isinstance(value, str)}
    return Values(fields, data[read.body_start :].decode("utf-8", "surrogatepass"))
