"""A corpus of synthetic sites as dealers, garages and shops of several countries build them, labelled by hand."""
