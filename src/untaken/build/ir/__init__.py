"""A small typed reader of textual LLVM IR, as the one pinned LLVM prints it."""
