"""The commands of `memtui`, a module a theme. Arguments in, exit status out; only the desk is asked."""
