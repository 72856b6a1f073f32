"""What is stored of runs and of their agents."""
