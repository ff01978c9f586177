"""The tests of a unit campaign as C that a developer would commit."""
