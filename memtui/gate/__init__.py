"""Whether a proposal may be asked or allowed: secrets first, then rules."""
