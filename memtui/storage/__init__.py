"""Everything that must survive a crash: spool, journal, apply, locks."""
