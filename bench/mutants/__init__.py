"""Mutation testing: small changes to the code that decides numbers, money and access, which a test has to notice."""
