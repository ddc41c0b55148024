"""What the pinned counterexamples in float64 give on this processor: run as a module, with the paths of certificates,
it writes JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import scipy.linalg  # noqa: F401, with scipy comes its own copy of the library that multiplies matrices
from threadpoolctl import threadpool_info

from refute.decide.evaluate import Judged, Judgement, judge
from refute.kernel import reading, verification
from refute.language.registry import find_claim
from refute.run.loading import load_all


def stated(path: Path) -> dict[str, Any]:
    """Why the certificate is not valid, and the slack and the error that its case gives."""
    seen: list[Judgement] = []

    def judged(*args: Any, **options: Any) -> Judgement:
        seen.append(judge(*args, **options))
        return seen[-1]

    data = reading.read(path)
    with patch.object(verification, "judge", judged):
        against = verification.objections(data, find_claim(data["claim"]))
    margins = [judgement.margin for judgement in seen if isinstance(judgement, Judged)]
    numbers = {"slack": str(margins[-1].value), "error": str(margins[-1].error)} if margins else {}
    return {"against": against, **numbers}


if __name__ == "__main__":
    load_all()
    found = {path: stated(Path(path)) for path in sys.argv[1:]}
    libraries = [
        (each["architecture"], each["num_threads"]) for each in threadpool_info() if each["internal_api"] == "openblas"
    ]
    sys.stdout.write(json.dumps({"libraries": libraries, "found": found}) + "\n")
