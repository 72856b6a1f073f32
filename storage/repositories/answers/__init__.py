"""What is stored of answers: their text, mentions, citations, judgements, and the reads that open them."""
