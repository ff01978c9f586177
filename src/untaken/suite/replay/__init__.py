"""Tests run again: on the plain native build, or on the instrumented one."""
