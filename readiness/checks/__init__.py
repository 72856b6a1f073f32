"""The catalog: every question a scan asks about a site, each declared whole in one place."""
