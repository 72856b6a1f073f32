"""Find: pages, brands and questions by their words, on a page and with Ctrl-K."""
