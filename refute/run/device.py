"""Where tensors live. Packages that can place them say what there is, through the entry points "refute.devices"."""

from importlib.metadata import EntryPoint, entry_points

from refute.errors import BadInput

GROUP = "refute.devices"
NAMES = ("auto", "cpu", "cuda")


def available() -> list[str]:
    """Every device that some installed package offers; the CPU always."""
    offered = {device for entry in entry_points(group=GROUP) for device in _offered_by(entry)}
    return sorted(offered | {"cpu"})


def _offered_by(entry: EntryPoint) -> list[str]:
    try:
        return [str(device) for device in entry.load()()]
    except Exception:  # a package that cannot be imported offers nothing
        return []


def resolve(name: str) -> str:
    """The device to use: "auto" takes a GPU where there is one."""
    if name not in NAMES:
        raise BadInput(f"unknown device {name!r}", f"choose one of {', '.join(NAMES)}")
    if name == "cpu":
        return name
    if "cuda" in available():
        return "cuda"
    if name == "cuda":
        raise BadInput(
            "device 'cuda' was asked for, but none is available",
            "use --device cpu or auto, or install a build with CUDA",
        )
    return "cpu"
