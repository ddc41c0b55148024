"""Attacks on the tool itself: `python -m benchmarks attacks [certificates | integrators] [options]` sends forged
certificates to the kernel, or hostile cases to the integrators.
"""


def main(arguments: list[str]) -> int:
    """The certificates, unless the first word says otherwise."""
    from benchmarks.attacks import certificates, integrators

    parts = {"certificates": certificates.main, "integrators": integrators.main}
    name = arguments[0] if arguments and arguments[0] in parts else ""
    return parts[name or "certificates"](arguments[1:] if name else arguments)


__all__ = ["main"]
