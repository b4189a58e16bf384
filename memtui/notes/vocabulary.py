"""The controlled vocabularies of entries (seed 004), apart from `entry.py` because that one loads YAML."""

TYPES = ("fact", "belief", "preference", "event", "goal", "constraint")
CONFIDENCES = ("high", "medium", "low")
STATUSES = ("active", "deprecated")
