"""What charts of several pages share: colours, axes, bars, and the figure itself."""
