"""What a proposal is and what it would do: pure values, no disk of its own."""
