"""Which machine runs what, and when: a part of pages that show a schedule."""
