"""Other goals than the most reward, with limits on further objectives."""
