"""The badge of a site: what its verdicts come to, as a small picture for the page of a repository."""

from collections.abc import Mapping

from markupsafe import Markup

GREEN, RED, GREY = "#1a7f4b", "#b3261e", "#56657b"
LETTER, EDGE, HIGH = 6.4, 8.0, 20.0  # the width of a letter, the room beside words, the height
NAME = "refute"


def badge(counts: Mapping[str, int], unexpected: int) -> str:
    """Red where a verdict is not the recorded one: a refutation that is on record is what its authors expect."""
    run = {word: number for word, number in counts.items() if number and word != "not run"}
    stands = sum(run.get(word, 0) for word in ("proved", "supported"))
    fallen = run.get("refuted", 0)
    if not run:
        return _drawn("nothing was run", GREY)
    said = ", ".join(
        [*([f"{stands} stand"] if stands else []), *([f"{fallen} refuted"] if fallen else [])]
        or [f"{number} {word}" for word, number in run.items()]
    )
    return _drawn(f"{said}, {unexpected} not as recorded" if unexpected else said, RED if unexpected else GREEN)


def _drawn(said: str, colour: str) -> str:
    """Two fields beside each other; the colours are written out, since it stands on pages of others."""
    left, right = (2 * EDGE + LETTER * len(words) for words in (NAME, said))
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" role="img" aria-label="{name}: {said}">'
            "<title>{name}: {said}</title>"
            '<rect width="{w}" height="{h}" rx="3" fill="#17263a"/>'
            '<path d="M{l} 0H{r}a3 3 0 0 1 3 3V17a3 3 0 0 1 -3 3H{l}z" fill="{colour}"/>'
            '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
            '<text x="{a}" y="14">{name}</text><text x="{b}" y="14">{said}</text></g></svg>\n'
        ).format(
            w=round(left + right),
            h=round(HIGH),
            l=round(left),
            r=round(left + right) - 3,
            a=round(left / 2, 1),
            b=round(left + right / 2, 1),
            name=NAME,
            said=said,
            colour=colour,
        )
    )
