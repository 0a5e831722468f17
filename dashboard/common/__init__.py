"""Parts of pages that several pages share: widgets, charts, and what they say."""
