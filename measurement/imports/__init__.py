"""Answers, brands and archives that come in from files and go out to them."""
