"""Turns the tool table into REST routes and an OpenAPI 3.1 document; knows no single tool."""
