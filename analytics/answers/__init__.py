"""What one answer says of each entity: mentions, rank, citations."""
