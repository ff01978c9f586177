"""Images as files: ELF, Intel HEX, raw bytes."""
