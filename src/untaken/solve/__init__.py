"""From a branch to flip to a new input: `stack.default_solver` composes what this folder offers."""
