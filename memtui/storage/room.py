"""What the system says where there is no room to write, in words."""

from __future__ import annotations

import errno

NO_ROOM = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the disk quota is used up"}
"""By `errno`, as the middle of a sentence."""


def begins(words: str) -> str:
    """The same at the beginning of one."""
    return words[0].upper() + words[1:]
