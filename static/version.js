/** The library's version; `pyproject.toml` has the same. */
export const VERSION = "0.1.0";
