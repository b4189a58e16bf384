"""memtui: a person decides what AI agents may remember about them.

`memtui.memory.read`, `memtui.memory.write` and `memtui.call` are for programs; they are loaded when first used,
so that the commands start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui import memory as memory
    from memtui.memory import call as call

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("memory", "call"):
        import importlib

        module = importlib.import_module("memtui.memory")
        return module if name == "memory" else module.call
    raise AttributeError(f"module 'memtui' has no attribute {name!r}")
