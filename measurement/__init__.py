"""Turn prompts into numbers: plan, query engines, extract, calculate, publish and verify."""
