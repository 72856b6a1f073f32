"""A brand's texts on their way out: as files, and to the company's own site."""
