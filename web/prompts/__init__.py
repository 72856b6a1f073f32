"""Prompts: where a brand wins and loses, question by question and engine by engine."""
