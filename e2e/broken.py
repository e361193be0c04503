"""Apps that cannot be loaded; texts, so that no tool of this repository trips over them."""

APPS = {
    "/broken.py": "from webtools import tool\n\n\ndef half(:\n",
    "/raises.py": "import math\n\nmath.sqrt(1) / 0\n",
    "/badtool.py": "from webtools import tool\n\n\n@tool\ndef find(words):\n    'Find.'\n",
    "/imports.py": "import numpy\n",
    "/twice.py": (
        "from webtools import tool\n"
        "@tool(name='same')\ndef one() -> None:\n    'One.'\n"
        "@tool(name='same')\ndef two() -> None:\n    'Two.'\n"
    ),
    "/exits.py": "import sys\n\nsys.exit(1)\n",
}
