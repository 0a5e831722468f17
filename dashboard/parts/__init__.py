"""Parts that several pages share: widgets, charts and sentences."""
