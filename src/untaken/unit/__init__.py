"""Testing one function: a driver written from its types, and its tests written back as C."""
