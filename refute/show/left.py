"""The time that is left, as a column of a bar: extrapolated from what is done, or known from the beginning."""

from rich.progress import ProgressColumn, Task
from rich.text import Text


class Left(ProgressColumn):
    """The field `lasts` of a task is what is known of its seconds; a task without it is extrapolated."""

    def render(self, task: Task) -> Text:
        seconds = seconds_left(task.elapsed or 0.0, task.completed, task.total or 0.0, task.fields.get("lasts"))
        return Text("" if seconds is None else f"about {lasting(seconds)} left")


def seconds_left(elapsed: float, done: float, total: float, lasts: float | None = None) -> float | None:
    """None as long as nothing is known."""
    if done > 0 and elapsed > 0:
        known = elapsed * (total - done) / done
        share = min(1.0, 4 * done / total) if total else 1.0  # the first quarter leans on what was known before
        return max(0.0, known if lasts is None else share * known + (1 - share) * (lasts - elapsed))
    return None if lasts is None else max(0.0, lasts - elapsed)


def lasting(seconds: float) -> str:
    """ "8 s", "3 min", "2 h"."""
    whole = round(seconds)
    return (
        f"{whole} s" if whole < 90 else f"{round(seconds / 60)} min" if whole < 5400 else f"{round(seconds / 3600)} h"
    )
