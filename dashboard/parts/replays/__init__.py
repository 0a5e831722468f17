"""What the pages of work that arrives share: what was asked, its replays, their charts, files."""
