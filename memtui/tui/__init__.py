"""The terminal app: the only room that draws."""

import os
from importlib import import_module


def _draw_often() -> None:
    """What a key changed is drawn within 4 ms, not within 17: Textual collects changes for so long.

    It reads this when it is imported; programs that are started from here are not told.
    """
    if "TEXTUAL_FPS" not in os.environ:
        os.environ["TEXTUAL_FPS"] = "250"
        import_module("textual.constants")
        del os.environ["TEXTUAL_FPS"]


_draw_often()
