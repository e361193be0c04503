"""Archives of Python whose modules are bytecode, for the interpreter that runs this.

`in_pyodide.mjs` runs it inside Pyodide, since bytecode fits one version of Python only; so it imports nothing
but the standard library.
"""

import py_compile
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

__all__ = ["precompile"]

_NO_DATE = (1980, 1, 1, 0, 0, 0)


def precompile(*, source: str, target: str, folder: str) -> None:
    """Write an archive with the same members, but each module is its bytecode: `a.pyc` where `a.py` was.

    A module that does not compile, such as a template, stays as it is. The bytecode is used without a look at
    any source, and the same source makes the same bytes.

    Args:
        source: A wheel, or the standard library's zip.
        target: Written anew.
        folder: Where the modules will lie, ends with "/": tracebacks name their files there.
    """
    with ZipFile(source) as archive, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as compiled:
        for member in archive.infolist():
            if member.is_dir():
                continue
            name, content = member.filename, archive.read(member)
            code = _bytecode(content, folder + name) if name.endswith(".py") else None
            entry = ZipInfo(name if code is None else f"{name}c", _NO_DATE)
            entry.external_attr = member.external_attr
            entry.compress_type = ZIP_DEFLATED
            compiled.writestr(entry, content if code is None else code)


def _bytecode(source: bytes, shown: str) -> bytes | None:
    with tempfile.TemporaryDirectory() as scratch:
        module = Path(scratch) / "module.py"
        module.write_bytes(source)
        try:
            made = py_compile.compile(
                str(module),
                cfile=str(module.with_suffix(".pyc")),
                dfile=shown,
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
        except py_compile.PyCompileError:
            return None
        return Path(str(made)).read_bytes()
