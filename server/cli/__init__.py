"""The command line: one module for each noun, loaded when one of its commands is called."""
