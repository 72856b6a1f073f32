"""Labelled sentences that tell how well drafts are held to known facts."""
