"""Published results, computed again: a folder for each publication, with a `publication.py`. The
modules beside them are shared: claims with verdicts, figures, pictures, and environments in place
of the published data.
"""
