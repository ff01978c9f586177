"""Random programs on lifted processors and on independent simulators."""
