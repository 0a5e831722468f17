"""Pages polish for a little work in place of the usual seconds: soon done, the same each time."""

from core.vocabulary.budget import DEFAULT_SECONDS, Effort


def brief_polish(seconds: float, work: float = 0.03) -> Effort:
    """What a page allows a study; seconds that a test asks for stay as they are."""
    return Effort(work=work) if seconds == DEFAULT_SECONDS else Effort(seconds)
