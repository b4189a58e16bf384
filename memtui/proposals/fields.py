"""A proposal's fields, both ways: what the journal, the editor, the screen and the notices work with."""

from memtui.proposals.as_fields import text_fields, to_fields
from memtui.proposals.markdown_form import to_markdown
from memtui.proposals.rules import from_fields

__all__ = ["from_fields", "text_fields", "to_fields", "to_markdown"]
