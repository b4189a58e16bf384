"""What a memory folder holds: text in, text out. Only `folder` reads the disk."""
