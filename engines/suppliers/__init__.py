"""Suppliers of what people see: one module each that reads its bodies, and what asks them."""
