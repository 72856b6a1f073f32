"""The monitors, one file each: what they look at and what they make of it."""
