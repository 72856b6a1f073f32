"""From a surveyed site to its report: grading, scores, methodology, JSON and Markdown."""
