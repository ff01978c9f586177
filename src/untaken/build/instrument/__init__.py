"""Adds symbolic tracking to LLVM IR: each value gets a label beside it, each branch an event.

How the code looks after it: straight-line code of the program stays as it was. Label computations of a stretch of
code are gathered in a *group* and moved out of line; one test of everything that could be symbolic (labels of
operands, shadow tags of the lines of memory that were touched) decides whether the group's cold block is entered.
A program that computes on concrete data therefore pays a test a stretch, not a call an instruction.
"""
