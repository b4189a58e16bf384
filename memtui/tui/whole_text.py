"""What `$EDITOR` is given of a proposal, and the `.md` form that its answer makes (SPEC section 6). Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memtui.proposals.diff_lines import align, cut
from memtui.proposals.left_out import leave_out
from memtui.proposals.markdown_form import to_markdown
from memtui.proposals.model import Edit, FileChange, Replace, TextEdit
from memtui.review.items import Preview

_RULES = "memtui: what you leave here is shown as a change; nothing is written before you approve it."
OVER_TEXT = f"<!-- {_RULES} This line is taken out. -->\n"
IN_FORM = f"# {_RULES}\n# The operation and what the agent claims of itself stay as they are.\n"
"""The rules as a comment, which is taken out again."""
_FENCE = "---\n"


def whole_text(preview: Preview) -> tuple[str, Callable[[str], str]]:
    """The text to edit, and how what became of it is the proposal's `.md` form again.

    Of a replace or an edit it is the note's text as it would be, without what is left out and without what follows
    by itself (date, change log); of any other proposal, or where there is no such text, its `.md` form.
    """
    proposal = preview.item.proposal
    before, wanted = _sides(preview)
    if isinstance(proposal, Replace):
        made = proposal
        text = proposal.text if wanted is None else wanted
        return OVER_TEXT + text, lambda text: to_markdown(replace(made, text=_bare(text)))
    if isinstance(proposal, Edit) and wanted is not None:
        edit = proposal
        return OVER_TEXT + wanted, lambda text: to_markdown(
            replace(edit, edits=(one_edit(before, _bare(text)),))
        )
    return _FENCE + IN_FORM + preview.text.removeprefix(_FENCE), lambda text: text.replace(IN_FORM, "", 1)


def made_text(preview: Preview) -> str | None:
    """The text that an edit makes of its note, to be edited in the place of its edits; None for anything else."""
    return _sides(preview)[1] if isinstance(preview.item.proposal, Edit) else None


def _bare(text: str) -> str:
    return text.removeprefix(OVER_TEXT)


def _sides(preview: Preview) -> tuple[str, str | None]:
    """The text of a plan's note as it is, and as the proposal and the person want it; None where there is no plan."""
    made = preview.plan
    note = next((change for change in made.changes if isinstance(change, FileChange)), None)
    if note is None or note.before is None or made.wanted is None:
        return "", None
    left, _ = leave_out(note.path, note.before, made.wanted, made.left_out)
    return note.before.decode("utf-8", "surrogatepass"), left.decode("utf-8", "surrogatepass")


def one_edit(before: str, after: str) -> TextEdit:
    """One edit that makes `after` of `before`: the fewest whole lines that hold every change and occur once."""
    old, new = cut(before).keys, cut(after).keys
    blocks, _ = align(old, new)
    start, stop = (blocks[0][0], blocks[-1][1]) if blocks else (0, len(old))
    moved = len(new) - len(old)
    while not _occurs_once(before, "".join(old[start:stop])) and (start or stop < len(old)):
        start, stop = max(0, start - 1), min(len(old), stop + 1)
    return TextEdit("".join(old[start:stop]), "".join(new[start : stop + moved]))


def _occurs_once(text: str, piece: str) -> bool:
    return bool(piece) and text.find(piece, text.find(piece) + 1) < 0
