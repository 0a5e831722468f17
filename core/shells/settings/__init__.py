"""Settings that are declared once: flags of the command line, blocks of study files, parameters of
the address and widgets of pages come from the same table.
"""
