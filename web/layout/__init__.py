"""Layout: what every page shares: base, navigation, forms, pagination."""
