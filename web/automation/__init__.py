"""Automation: question sets, schedules, workflows and agents that run by themselves."""
