"""The commands of `seenby`, one module for each noun; loaded when they are called, since they are heavy."""
