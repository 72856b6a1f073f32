"""Tables and statements: every statement is compiled once and bound to one company."""
