"""The folder of a site: it holds one report and nothing of an earlier one, and a folder of something else is left
alone.
"""

import json
from collections.abc import Callable
from pathlib import Path

from refute.errors import BadInput
from refute.show.report.site import Site

MANIFEST = "refute-report.json"


def write(site: Site, out: Path, told: Callable[[str], object] = str) -> tuple[int, int]:
    """Write every file, remove those of an earlier report; how many there are and how many bytes they have. Each name
    is told when its file is there.
    """
    earlier = _claimed(out)
    written: dict[str, int] = {}
    for name, content in site.pages():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        written[name] = len(content)
        told(name)
    manifest = json.dumps({"refute_report": 1, "files": sorted(written)}, indent=1) + "\n"
    (out / MANIFEST).write_text(manifest, encoding="utf-8")
    for name in earlier - set(written):
        (out / name).unlink(missing_ok=True)
    return len(written), sum(written.values())


def _claimed(out: Path) -> set[str]:
    """The files of the report that is in the folder; a folder that holds something else is not written to."""
    if not out.exists() or not any(out.iterdir()):
        return set()
    try:
        listed = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise BadInput(
            f"{out} is not empty and holds no report", "give a new folder with --out, or empty this one"
        ) from None
    inside = out.resolve()
    return {name for name in listed if isinstance(name, str) and (out / name).resolve().is_relative_to(inside)}
