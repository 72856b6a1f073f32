"""What is asked, and about which brand: profiles, keys, prompt sets, plans, schedules and costs."""
