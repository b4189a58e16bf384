"""The order in which disguises are taken off a text, and how often."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.gate.view_excerpts import brief, excerpt
from memtui.gate.view_layers import LAYERS, TAKING
from memtui.gate.view_shapes import SHAPES
from memtui.gate.view_sources import ROTATED, Reach
from memtui.gate.views import MAX_LAYERS, MAX_VIEWS, View
from memtui.gate.watch import watch_of

_MANY = 300
"""Places in a text from which on all of it is looked at again."""


class Unveiling:
    """One walk over the views of a text: layers come off until nothing changes, then its shape is changed, and
    layers come off again.
    """

    def __init__(self, text: str) -> None:
        self._seen = {hash(text): Reach.LINES}
        """The hash of each text, and how far it was run together where it was so least."""
        self._left = 10 * len(text) + (1 << 19)
        """Characters that may still be looked at."""

    def of(self, view: View, shapes: int) -> Iterator[View]:
        """The views under one that has been seen itself."""
        plain, taken = view, list[View]()
        unread = [[view] for _ in LAYERS]  # what each layer has not been tried on
        for _ in range(MAX_LAYERS if view.name != ROTATED else 0):
            before = plain
            for number, layer in enumerate(LAYERS):
                parts, unread[number] = unread[number], []
                # Whether a few places have some of it is soon told.
                if not any(2 * len(part.text) > len(plain.text) or layer(part) for part in parts):
                    continue
                watch_of(view).look()
                bare = layer(plain)
                if bare is not None and self._is_new(bare, shown := brief(bare)):
                    plain = bare
                    taken += [bare] if layer in TAKING and bare.is_deep else []
                    for waiting in unread:
                        waiting.append(shown)
                    yield shown
            if plain is before:
                break
        is_root = view.parent is None
        if shapes and (taken or not view.is_turned):
            yield from self._reshaped(plain, shapes, bool(taken) or is_root)
            if taken:  # they may have taken a part of something along
                yield from self._reshaped(_before(view, taken), 1, is_root)

    def _reshaped(self, view: View, shapes: int, suspicious: bool) -> Iterator[View]:
        """Other shapes of a view. What shows no trace of a disguise is only looked at in the commonest ones."""
        for shape in SHAPES:
            if view.is_after(shape.name) or not (suspicious or view.name in shape.after):
                continue
            watch_of(view).look()
            other = shape.change(view)
            if other is not None and self._is_new(other, shown := brief(other)):
                yield shown
                yield from self.of(shown, shapes - 1)

    def _is_new(self, view: View, shown: View) -> bool:
        """Whether a view was not seen before. `shown`: as much of it as is looked at by every rule."""
        length = len(shown.text) + len(view.text) // 4
        key = hash(view.text)
        if key in self._seen and self._seen[key] <= view.reach:
            return False
        if len(self._seen) >= MAX_VIEWS or length > self._left:
            return False
        self._seen[key] = view.reach
        self._left -= length
        return True


def _before(view: View, taken: list[View]) -> View:
    """What a view showed where these, which were made from it, have taken something off."""
    if sum(len(bare.edits or ()) for bare in taken) > _MANY:
        return view
    places = []
    for bare in taken:
        for edit in bare.edits or ():
            start, end, at = edit.start, edit.end, bare.parent
            while at is not None and at is not view:
                start, end = at.source(start, end)
                at = at.parent
            places.append((start, end))
    return excerpt(view, sorted(places))
