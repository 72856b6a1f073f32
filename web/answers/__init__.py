"""Answers: the list of what engines said, and one answer opened up with every tracked name marked."""
