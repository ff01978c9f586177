"""The C library as instrumented programs meet it: models, what is not modelled, and the runtime that is linked in."""
