"""Tests as a folder that needs nothing of ours: a shell script and a pytest module run them on any build."""
