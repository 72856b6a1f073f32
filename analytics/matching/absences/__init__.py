"""Tells "I found nothing about Acme" from a mention of Acme, in fifteen languages."""
