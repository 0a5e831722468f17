"""Multi-objective evolution of whole numbers: problems, operators, NSGA-II and ev-MOGA."""
