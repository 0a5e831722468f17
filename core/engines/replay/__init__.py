"""Work that arrives: its vocabulary, the clock that replays it, its judge and its bound."""
