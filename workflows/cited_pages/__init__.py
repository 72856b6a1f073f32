"""Pages that engines cite for questions that a brand loses: visited, outlined, and held beside the brand's own."""
