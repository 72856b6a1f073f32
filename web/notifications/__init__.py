"""Notifications and open issues."""
