"""Issues and notifications that measurements raise."""
