"""Ways in for agents: they propose and read, nothing else."""
