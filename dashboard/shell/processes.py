"""The worker processes of the server. They load before anything else does."""

import os
from typing import Final

from core.engine.workers import Workers

PROCESSORS: Final = os.cpu_count() or 1

WORKERS: Final = Workers("dashboard.shell.preparation", spare=2 * PROCESSORS)
