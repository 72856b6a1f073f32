"""What is asked: prompt sets, ask plans, schedules and costs."""
