"""How instrumented code is written: groups of label work, the slots that values are handed over in, the tests between.

What is written for which instruction is said one folder up.
"""
