"""The terminal app: the only room that draws."""
