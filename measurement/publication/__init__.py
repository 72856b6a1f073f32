"""Calculate a settled batch and publish it in one transaction."""
