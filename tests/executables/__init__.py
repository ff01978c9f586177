"""Tests of executables without source."""
