"""What operators watch: counters made of log events, the state of each part, traces."""
