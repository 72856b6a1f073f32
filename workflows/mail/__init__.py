"""E-mail: composed, queued with what causes it, and delivered through SMTP."""
