"""The monitors, one file each."""
