"""What users type. The last stage: it may know all the others, and none of them knows it."""

import os

# Before numpy is imported: its threads wait busily for each other, our matrices are small, and campaigns run side by
# side anyway.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
