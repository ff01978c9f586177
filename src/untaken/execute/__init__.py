"""Runs an instrumented program on given inputs and reads what each run left in shared memory."""
