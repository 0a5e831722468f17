"""What to buy, and what to sell, before it is known what work arrives and how long it takes."""
