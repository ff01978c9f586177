"""Images as files: ELF, Intel HEX, S-records, raw bytes."""
