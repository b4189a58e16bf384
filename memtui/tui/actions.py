"""The one registry of actions: footer, `?`, palette, the `m` menu and the person's key settings draw from it.

An action says what it is called, its keys and where it applies; what it does is the method `act_<id>` of the
pane or screen that is asked. Keys are written as the terminal names them: `a`, `ctrl+s`, `enter`; a chord is two
keys with a space between (`g i`); several keys for one action are separate members.
"""

from __future__ import annotations

from dataclasses import dataclass

NEVER_BOUND = ("ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m")
"""The same bytes as backspace, tab and enter in a terminal: nobody may bind them (SCREENS, Keys)."""

GLOBAL, MOVE, DIFF, INBOX, NOTES, ACTIVITY, HEALTH, CATALOG, EDITOR, REASON, FILTER, SHEET, EMPTY, OWN = (
    "global",
    "move",
    "diff",
    "inbox",
    "notes",
    "activity",
    "health",
    "catalog",
    "editor",
    "reason",
    "filter",
    "sheet",
    "empty",
    "own",
)
"""Where an action applies. The innermost of the places that hold at the moment is asked first."""

PLACES = {
    INBOX: "Inbox",
    DIFF: "The change shown",
    NOTES: "Notes",
    ACTIVITY: "Activity",
    HEALTH: "Health",
    CATALOG: "Catalog",
    EDITOR: "Editor",
    OWN: "Your own change",
    REASON: "Reason for a rejection",
    FILTER: "Filter and search",
    SHEET: "Sheets",
    EMPTY: "Nothing waiting",
    MOVE: "Moving",
    GLOBAL: "Everywhere",
}
"""Headings of the help, in its order."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that the person can do."""

    id: str
    where: str
    keys: tuple[str, ...]
    label: str
    """As help and palette say it."""
    short: str = ""
    """As the footer says it; "" keeps it out of the footer."""
    priority: int = 50
    """In the footer: the highest number is dropped first where there is no room."""
    menu: str = ""
    """Its letter inside `m`; "" keeps it out of the menu."""
    decides: bool = False
    """Writes or answers something: works only on a settled item (SCREENS, settle time)."""
    asks: bool = False
    """Opens something to type in and decides nothing yet: what is typed in the same moment is for that."""
    palette: bool = True
    right: bool = False
    """Stands at the right end of the footer."""


def _a(
    id: str, where: str, keys: str, label: str, short: str = "", priority: int = 50, **more: object
) -> Action:
    return Action(id, where, tuple(keys.split(",")) if keys else (), label, short, priority, **more)  # type: ignore[arg-type]


ACTIONS: tuple[Action, ...] = (
    # --- inbox
    _a("approve", INBOX, "a", "Approve the change shown", "approve", 1, decides=True),
    _a("edit", INBOX, "e", "Edit the proposal", "edit", 5, decides=True, asks=True),
    _a("reject", INBOX, "r", "Reject it, with a reason for the agent", "reject", 2, decides=True, asks=True),
    _a("editor", INBOX, "E", "Edit it in $EDITOR", decides=True),
    _a("next_item", INBOX, "J", "Next item (skip this one)", "next", 4),
    _a("previous_item", INBOX, "K", "Previous item"),
    _a("undo", INBOX, "u", "Undo the last decision", "undo", 6),
    _a("choose", INBOX, "v", "Next choice of a contradiction", "choice", 3),
    _a("pick_tags", INBOX, "", "Pick tags", menu="p"),
    _a("seen", INBOX, "enter", "Seen: the change on disk is known", "seen", 1, palette=False),
    _a("mark", INBOX, "space", "Mark or unmark this item", "mark", 16, palette=False),
    _a("mark_all", INBOX, "*", "Mark all shown, but those with notices and deletes"),
    _a("mark_group", INBOX, "M", "Mark all of its batch, else of its group, in the same way"),
    _a("approve_marked", INBOX, "A", "Approve the marked: shows the list first", "approve marked", 6),
    _a("reject_marked", INBOX, "R", "Reject the marked: shows the list first", "reject marked", 7),
    _a("order", INBOX, "o", "Order and group the list"),
    _a("trust", INBOX, "", "Approve, and trust its path or folder", menu="t"),
    _a("approve_note", INBOX, "", "Approve with a private note", menu="n", decides=True),
    _a(
        "approve_keeping",
        INBOX,
        "",
        "Approve, and keep an old text that holds a secret for undo",
        menu="k",
        decides=True,
    ),
    _a("copy_id", INBOX, "", "Copy the id", menu="c"),
    _a("merge", INBOX, "", "Merge its text into a note", menu="g"),
    _a(
        "successor", INBOX, "", "Of an entry that is superseded: name the note that takes its place", menu="s"
    ),
    _a("not_a_secret", INBOX, "", "Of a blocked proposal: it is no secret, and may be sent again", menu="s"),
    _a("forget_draft", INBOX, "", "Discard your draft", menu="x"),
    _a("discard", INBOX, "", "Discard a problem", menu="D"),
    _a("own_note", INBOX, "", "Make the draft of a proposal that is gone a note of your own", menu="w"),
    # --- the change shown
    _a("next_change", DIFF, "n,]", "Next change, or link of a note", "n p change", 8),
    _a("previous_change", DIFF, "p,[", "Previous change, or link of a note"),
    _a("side_by_side", DIFF, "d", "Side by side or one under the other", "side by side", 9),
    _a("unfold", DIFF, "w", "Open or close the folded lines"),
    _a("leave_out", DIFF, "x", "Leave this change out, or put it back", "leave out", 11),
    _a("follow", DIFF, "enter", "To what is alike, or where the link leads", "follow", 3, palette=False),
    _a("page", DIFF, "space", "Page down", palette=False),
    _a("details", DIFF, "i", "Details: ids, unknown fields, plan hash"),
    # --- notes
    _a("edit_note", NOTES, "e", "Edit the note", "edit", 2),
    _a("editor_note", NOTES, "E", "Edit the note in $EDITOR"),
    _a("write_note", NOTES, "", "Write a new note", palette=False),
    _a("write_entry", NOTES, "", "Write a new typed entry", menu="e"),
    _a("find_here", NOTES, "", "Find in all notes", palette=False),
    _a("copy_path", NOTES, "y", "Copy the note's path", "copy path", 6),
    _a("fold", NOTES, "enter", "Open the note, or fold its folder", palette=False),
    _a("undo", NOTES, "u", "Undo the last decision"),
    _a("rename", NOTES, "", "Rename or move the note", menu="r"),
    _a("supersede", NOTES, "", "Mark the entry as superseded", menu="s"),
    _a("merge", NOTES, "", "Merge the note into another", menu="g"),
    _a("log", NOTES, "", "Show the note's change log", menu="l"),
    _a("forget_draft", NOTES, "", "Discard your draft of it", menu="x"),
    _a("delete_note", NOTES, "", "Delete the note", menu="D"),
    # --- activity
    _a("undo_selected", ACTIVITY, "u", "Undo the selected decision", "undo this one", 1),
    _a("grants", ACTIVITY, "", "Grants: what is let through, and asking again", menu="t"),
    _a("undo", HEALTH, "u", "Undo the last decision"),
    _a("undo", CATALOG, "u", "Undo the last decision"),
    # --- own change and editor
    _a("approve_own", OWN, "a", "Write the change", "approve", 1, decides=True),
    _a("back_to_text", OWN, "esc,e,q", "Back to the text", "back to the text", 2),
    _a("show_change", EDITOR, "ctrl+s,f2", "Show the change", "show the change", 1),
    _a("next_field", EDITOR, "tab", "Next field", "next field", 3, palette=False),
    _a("previous_field", EDITOR, "shift+tab", "Previous field", palette=False),
    _a("editor_here", EDITOR, "f4", "Go on in $EDITOR", "$EDITOR", 4),
    _a("leave", EDITOR, "esc", "Back; the draft stays", "back, draft stays", 2, palette=False),
    _a("undo_typing", EDITOR, "ctrl+z", "Take back the last typing", palette=False),
    _a("redo_typing", EDITOR, "ctrl+y", "Type it again", palette=False),
    _a("next_value", EDITOR, "down", "Next of the field's fixed values", palette=False),
    _a("previous_value", EDITOR, "up", "Previous of the field's fixed values", palette=False),
    _a("discard_draft", EDITOR, "f8", "Discard the draft", palette=False),
    # --- reason, filter, sheets
    _a("submit", REASON, "enter", "Reject with this reason", "reject", 1, palette=False, decides=True),
    _a("pick_next", REASON, "down", "Next picked reason", "pick a reason", 3, palette=False),
    _a("pick_previous", REASON, "up", "Previous picked reason", palette=False),
    _a("cancel", REASON, "esc", "Back, nothing is rejected", "back", 2, palette=False),
    _a("submit_filter", FILTER, "enter", "Keep the filter", "keep", 1, palette=False),
    _a("cancel_filter", FILTER, "esc", "Clear the filter", "clear", 2, palette=False),
    _a("yes", SHEET, "y", "Yes", "yes", 1, palette=False, decides=True),
    _a("no", SHEET, "esc,q,n", "Back", "back", 2, palette=False),
    # --- nothing waiting
    _a("copy_command", EMPTY, "y", "Copy the command that sends a proposal", "copy", 2),
    # --- moving
    _a("down", MOVE, "j,down", "Down", palette=False),
    _a("up", MOVE, "k,up", "Up", palette=False),
    _a("top", MOVE, "g g,home", "To the top", palette=False),
    _a("bottom", MOVE, "G,end", "To the end", palette=False),
    _a("page_down", MOVE, "ctrl+d,pagedown", "Scroll the preview down", palette=False),
    _a("page_up", MOVE, "ctrl+u,pageup", "Scroll the preview up", palette=False),
    _a("into", MOVE, "enter,l,right", "Into the preview", "read", 7, palette=False),
    _a("out", MOVE, "h,left", "Back to the list", "list", 12, palette=False),
    # --- everywhere
    _a("new_note", GLOBAL, "c", "Write a new note", "new note", 20),
    _a("find", GLOBAL, "f", "Find a note", "find", 21),
    _a("filter", GLOBAL, "/", "Filter this list", "filter", 22),
    _a("go_inbox", GLOBAL, "g i,1,g 1", "Inbox", "inbox", 24),
    _a("go_notes", GLOBAL, "g n,2,g 2", "Notes", "notes", 23),
    _a("go_activity", GLOBAL, "g a,3,g 3", "Activity: what was decided", "activity", 25),
    _a("go_health", GLOBAL, "g h,4,g 4", "Health of the folder"),
    _a("grants", GLOBAL, "g t", "Grants: what is let through, and asking again"),
    _a("go_catalog", GLOBAL, "g c", "Catalog: what the agent reads"),
    _a("other_side", GLOBAL, "tab", "List or preview", palette=False),
    _a("other_side_back", GLOBAL, "shift+tab", "Preview or list", palette=False),
    _a("jump_back", GLOBAL, "ctrl+o", "Back from where a link led"),
    _a("zoom", GLOBAL, "z", "Zoom: the list, or the preview, over the full width"),
    _a("menu", GLOBAL, "m", "Menu: everything rare or dangerous", "menu", 30),
    _a("palette", GLOBAL, ":,ctrl+p", "Commands", "commands", 17, palette=False, right=True),
    _a("help", GLOBAL, "?,f1", "Keys", "keys", 3, right=True),
    _a("back", GLOBAL, "esc", "Back", palette=False),
    _a("back_or_quit", GLOBAL, "q", "Back; twice at the top quits", "leave", 2, palette=False),
    _a("interrupt", GLOBAL, "ctrl+c", "Says how to quit", palette=False),
    _a("suspend", GLOBAL, "ctrl+z", "To the shell; `fg` comes back", palette=False),
    _a("quit", GLOBAL, "ctrl+q", "Quit", "quit", 40, right=True),
)


def named(id: str, where: str | None = None) -> Action:
    """The action with this id; where several places share it, that of `where`. Raises KeyError for none."""
    for action in ACTIONS:
        if action.id == id and where in (None, action.where):
            return action
    raise KeyError(id)
