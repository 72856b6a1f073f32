"""Plans of what to ask about which brand: profiles, keys, prompt sets, plans, schedules and costs."""
