"""The agents of the workflows, one file each, and the map from their names."""
