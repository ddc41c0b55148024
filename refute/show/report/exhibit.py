"""What a page shows of a counterexample: drawings, and the certificate with the command that re-checks it."""

import base64
import shlex
from typing import Any

from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.place import file_of, shown
from refute.run.loading import installed
from refute.show.report import course, law
from refute.show.report.entry import Entry
from refute.show.report.marks import Figure
from refute.show.report.motion import Motion, figures, motion
from refute.show.report.plane import drawn
from refute.show.report.scene import scene

LARGE = 500_000  # bytes: more is not put into a page


def comparison(entry: Entry) -> Figure | None:
    """The quantity against its bound in the counterexample."""
    known = entry.counterexample
    found = course.sides(entry.stored("compared"), known.get("violated")) if known is not None else None
    return course.drawn(found) if found is not None else None


def training(entry: Entry) -> list[Figure]:
    """How the network of the counterexample moves when it is trained."""
    case = (entry.counterexample or {}).get("case")
    seen = scene(case)
    if seen is None or seen.network is None or seen.directions:
        return []
    moving = _motion(entry.id, case)
    return figures(moving, seen) if moving is not None else []


def drawings(entry: Entry) -> list[Figure]:
    """The counterexample, and the law that was fitted: whatever there is."""
    known = entry.counterexample or {}
    seen = scene(known.get("case"))
    made = [drawn(seen)] if seen is not None else []
    found = law.stated(f"{known.get('violated', '')} {entry.stored('line') or ''} {entry.stored('detail') or ''}")
    made += [law.drawn(found)] if found is not None else []
    return [figure for figure in made if figure is not None]


def _motion(id: str, case: Any) -> Motion | None:
    try:
        return motion(id, Case.from_json(case))
    except RefuteError:  # a case of another version: the drawing of its JSON must do
        return None


def replay(claim: Claim, certificate: str) -> str:
    """The command that re-checks a certificate in the current folder."""
    inside = installed(claim)
    return shlex.join(["refute", "verify", *([] if inside else ["--from", shown(file_of(claim.place))]), certificate])


def download(entry: Entry) -> str:
    """An address that is saved on a click also where the site is opened from the file system; a large file is a link to
    the copy.
    """
    if entry.certificate is None:
        return ""
    content = entry.certificate[0].read_bytes()
    if len(content) > LARGE:
        return f"../certificates/{file_name(entry)}"
    return f"data:application/json;base64,{base64.b64encode(content).decode()}"


def file_name(entry: Entry) -> str:
    """The name of its certificate in the site."""
    return entry.page.removesuffix(".html") + ".json"
