"""The build stage: reading IR, instrumenting it, and the program map."""
