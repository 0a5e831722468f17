"""What reproductions share: claims with verdicts, figures, pictures, and environments in place of
the published data.
"""
