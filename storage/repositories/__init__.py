"""Every statement on the tables, grouped by the noun they are about; values come out, rows stay in."""
