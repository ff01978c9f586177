"""The library functions that the runtime has a model of, with their types: a file for each folder of runtime/libc/."""
