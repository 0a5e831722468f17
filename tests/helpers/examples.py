"""How many examples hypothesis draws of a property: few in `make test`, many in `make thorough`."""

from hypothesis import HealthCheck, settings

IN_CI = 20
IN_THOROUGH = 500


def register_profiles() -> None:
    """`ci`, which draws the same examples in every run, and `thorough`, which draws others."""
    settings.register_profile(
        "ci",
        max_examples=IN_CI,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.register_profile(
        "thorough", settings.get_profile("ci"), max_examples=IN_THOROUGH, derandomize=False
    )
    settings.load_profile("ci")


def examples(in_ci: int) -> settings:
    """For a property that needs another number; `thorough` multiplies it like that of others."""
    return settings(max_examples=in_ci * settings().max_examples // IN_CI)
