"""Sources: whom engines read before they answer."""
