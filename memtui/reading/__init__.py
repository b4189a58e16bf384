"""The notes as a reader sees them: lists, search, catalog, health, counts. Nothing here writes."""
