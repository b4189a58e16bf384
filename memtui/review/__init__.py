"""Between the spool and the desk: intake, planning, deciding, telling. Values in `items`."""
