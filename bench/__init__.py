"""Measurements that anybody can repeat: each against a peer in the same run."""
