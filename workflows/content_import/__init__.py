"""Import of a brand's texts: which pages a site lists, and what chosen pages say."""
