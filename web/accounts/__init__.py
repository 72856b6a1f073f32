"""Accounts: signing up and in, people and their profiles."""
