"""The built-in rules for secrets, in the order in which they claim a stretch of text."""

from __future__ import annotations

from memtui.gate.rule import Rule
from memtui.gate.rules_codes import CODES
from memtui.gate.rules_lists import KEYS, LISTS
from memtui.gate.rules_prefixes import PREFIXES
from memtui.gate.rules_seeds import SEEDS
from memtui.gate.rules_tokens import TOKENS
from memtui.gate.rules_told import TOLD
from memtui.gate.rules_words import WORDS

RULES: tuple[Rule, ...] = (*KEYS, *TOKENS, *PREFIXES, *WORDS, *CODES, *TOLD, *LISTS, *SEEDS)
