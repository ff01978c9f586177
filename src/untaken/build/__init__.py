"""From C sources to an instrumented program: the drop-in compiler and the instrumentation."""
