"""From a key to an action and its method: places, chords, and the prompt that takes keys first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import events
from textual.screen import Screen
from textual.timer import Timer

from memtui.tui.actions import ACTIONS, DIFF, GLOBAL, MOVE, Action
from memtui.tui.footer import Hint
from memtui.tui.keys import at_position, name_of, shown
from memtui.tui.message_row import MessageRow
from memtui.tui.paint import Line
from memtui.tui.pane import Pane
from memtui.tui.prompt import Prompt, Question
from memtui.tui.typed import BURST

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

CHORD_WAIT = 0.3
"""Seconds after the first key of a chord until its choices are written out."""
QUIT_WAIT = 2.0
"""Seconds within which the second `q` quits."""


def chord_line(choices: Sequence[tuple[str, str]], cells: int) -> Line:
    """The second keys of a chord and what they do; where room is short the last ones say no words, but none is lost."""
    words = [f" {label}" for _, label in choices]
    while (
        any(words)
        and sum(len(key) + len(word) + 2 for (key, _), word in zip(choices, words, strict=True)) > cells
    ):
        words[max(i for i, word in enumerate(words) if word)] = ""
    return tuple(
        span
        for (key, _), word in zip(choices, words, strict=True)
        for span in ((key, "bold"), (f"{word}  ", "muted"))
    )


class Dispatching(Screen[None]):
    """The part of the screen that takes keys."""

    pane: Pane

    def __init__(self) -> None:
        super().__init__()
        self.message = MessageRow()
        self.prompt = Prompt()
        self._chord = ""
        self._chord_timer: Timer | None = None
        self._last_q = -QUIT_WAIT
        self._held_back: Timer | None = None
        self._dropping = False
        """What a key should have opened did not open: what was typed for it in the same moment is dropped."""

    @property
    def memtui(self) -> MemtuiApp:
        return cast("MemtuiApp", self.app)

    def refresh_chrome(self) -> None:
        """Top line and footer say what holds now."""
        raise NotImplementedError

    # --- keys

    @property
    def typing(self) -> bool:
        """A text field has the focus."""
        return self.focused is not None and self.focused.has_class("text-field")

    def places(self) -> tuple[str, ...]:
        """Where the person is, innermost first."""
        if self.prompt.question is not None:
            return (self.prompt.place,)
        return self.pane.places()

    def on_key(self, event: events.Key) -> None:
        name = name_of(event.key, event.character)
        alone = self.typed_alone()
        self._dropping &= not alone
        if self._dropping:
            event.stop()
            event.prevent_default()
            return
        if self.has_class("-small"):
            if name == "ctrl+q":
                self.app.exit(0)
            return
        if self._chord:
            name = f"{self._chord} {name}"
            self._end_chord()
            event.stop()
        elif not self.typing and self.memtui.keymap.is_chord(name):
            self._begin_chord(name)
            event.stop()
            return
        actions = self.memtui.keymap.found(self.places(), name)
        if not actions and self.typing:
            actions = self._while_typing(name)
        if any(self._hold_back(action, alone) or self.perform(action) for action in actions):
            event.stop()
            event.prevent_default()

    def _while_typing(self, name: str) -> list[Action]:
        """Of the global actions, those on keys that no text field needs."""
        if not (name.startswith("ctrl+") or name == "f1"):
            return []
        actions = self.memtui.keymap.found((GLOBAL,), name)
        return [a for a in actions if a.id in ("quit", "palette", "help", "interrupt", "suspend")]

    # --- text that a terminal pastes as keys

    def typed_alone(self) -> bool:
        """Whether no other key came just before; a decision that waits for its burst to end is dropped."""
        if self._held_back is not None:
            self._held_back.stop()
            self._held_back = None
            self.pane.key_dropped()
        return self.memtui.typed.alone

    def _hold_back(self, action: Action, alone: bool) -> bool:
        """A deciding key counts only where no other key comes at once before or after it: paste never decides."""
        if not action.decides or action.asks or self.handler(action) is None:
            return False
        if alone:
            self._held_back = self.set_timer(BURST, partial(self._let_go, action))
        else:
            self.pane.key_dropped()
            if self.prompt.question is not None:
                self.prompt.note(f"{shown(self.memtui.keymap.key_of(action))} once more", "chip")
        return True

    def _let_go(self, action: Action) -> None:
        self._held_back = None
        if self.memtui.typed.more and action.decides and not action.asks:
            self.pane.key_dropped()
        else:
            self.perform(action)

    def chosen(self, action: Action) -> None:
        """Do what was chosen in a sheet; a decision once what lay under it has settled, if no key comes before."""
        left = self.pane.settle_left() if action.decides else 0.0
        if left > 0 and action.asks:
            self.soon(partial(self.chosen, action), left + BURST)
        elif left > 0:
            self._held_back = self.set_timer(left + BURST, partial(self.chosen, action))
        else:
            self._let_go(action)

    def perform(self, action: Action) -> bool:
        """Do it, by the pane that is shown or by the screen; whether anybody took it."""
        do = self.handler(action)
        if do is None:
            return False
        if action.id not in ("back_or_quit", "undo"):
            self._last_q = -QUIT_WAIT
        if self.message.alarm and not self._only_looks(action):
            self.message.clear()
            if action.id == "back":
                return True
        done = do() is not False
        self._dropping = action.asks and not self.memtui.typed.opening
        return done

    def soon(self, do: Callable[[], object], seconds: float = 0.0) -> None:
        """Do it after the next drawing, or some seconds later: keys wait for what it opens."""
        let_go = self.memtui.typed.hold("soon")

        def run() -> None:
            try:
                do()
            finally:
                let_go()

        if seconds:
            self.set_timer(seconds, run)
        else:
            self.call_after_refresh(run)

    def _only_looks(self, action: Action) -> bool:
        """Moving about is no answer to an error: it stays."""
        return action.where in (MOVE, DIFF) or action.id.startswith("other_side")

    def handler(self, action: Action) -> Callable[[], object] | None:
        """The method that does an action here and now, None where nobody does it."""
        for owner in (self.pane, self):
            do: Callable[[], object] | None = getattr(owner, f"act_{action.id}", None)
            if do is not None:
                return do
        return None

    def possible(self) -> list[Action]:
        """The actions that apply here, for palette, menu and help, innermost place first."""
        places = self.pane.places()
        found = [a for place in places for a in ACTIONS if a.where == place and self.handler(a) is not None]
        seen: dict[str, Action] = {}
        for action in found:
            seen.setdefault(action.id, action)
        return [action for action in seen.values() if self.pane.offers(action)]

    # --- chords

    def _begin_chord(self, key: str) -> None:
        self._chord = at_position(key)
        self._chord_timer = self.set_timer(CHORD_WAIT, self._show_chord)

    def _end_chord(self) -> None:
        self._chord = ""
        if self._chord_timer is not None:
            self._chord_timer.stop()
        self.message.show_hint(())

    def _show_chord(self) -> None:
        keymap, choices = self.memtui.keymap, []
        for place in self.places():
            for action in ACTIONS:
                for key in keymap.keys_of(action) if action.where == place else ():
                    first, _, second = key.partition(" ")
                    if second.isalpha() and first == self._chord:
                        choices.append((shown(second), action.label.split(":")[0]))
        self.message.show_hint((("g  ", "title"), *chord_line(choices, self.app.size.width - 5)))

    # --- prompts

    def question(self, question: Question) -> None:
        """Ask for one line; keys go there until it is answered."""
        self.message.add_class("-aside")
        let_go = self.memtui.typed.hold("prompt")

        async def open_prompt() -> None:
            try:
                await self.prompt.open(question)
                self.refresh_chrome()
            finally:
                let_go()

        self.call_next(open_prompt)

    def close_prompt(self) -> None:
        self.prompt.close()
        self.message.remove_class("-aside")
        self.set_focus(
            None
        )  # at once, not when the line has gone from the screen: the next key is not for it
        self.pane.take_focus()
        self.pane.key_dropped()
        self.refresh_chrome()

    def act_submit(self) -> None:
        question = self.prompt.question
        if question is not None and self.prompt.submit() is None and self.prompt.question is question:
            self.close_prompt()

    act_submit_filter = act_submit

    def act_pick_next(self) -> None:
        self.prompt.pick(1)

    def act_pick_previous(self) -> None:
        self.prompt.pick(-1)

    def act_cancel(self) -> None:
        question = self.prompt.question
        self.close_prompt()
        if question is not None and question.cancelled is not None:
            question.cancelled()

    act_cancel_filter = act_cancel

    def prompt_hints(self) -> list[Hint]:
        question = self.prompt.question
        assert question is not None
        hints = []
        for action in ACTIONS:
            if (
                action.where == question.place
                and action.short
                and (action.id != "pick_next" or question.picks)
            ):
                label = question.verb if action.id.startswith("submit") and question.verb else action.short
                hints.append(Hint(action, shown(self.memtui.keymap.key_of(action)), label))
        return hints
