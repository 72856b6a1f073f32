"""Live progress: what pages are told while something runs."""
