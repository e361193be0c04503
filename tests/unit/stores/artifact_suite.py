"""The table of requirements that every backend of artifacts meets; it lives where a page can load it, too."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PAGE = Path(__file__).parents[3] / "e2e" / "pages" / "artifacts.py"


def loaded() -> ModuleType:
    """The app of the e2e page."""
    spec = importlib.util.spec_from_file_location("artifacts_page", PAGE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SUITE = loaded()
