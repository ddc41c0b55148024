"""An evenly spaced sample of a stream of numbers, of bounded size, without chance."""

import math
from dataclasses import dataclass, field

MOST = 200


@dataclass(slots=True)
class Sample:
    """Keeps every number at first; when there are too many, every second one, then every fourth, and so on.

    So the numbers kept are spread over the whole stream, and they depend on nothing but the stream.
    """

    kept: list[float] = field(default_factory=list)
    stride: int = 1
    seen: int = 0

    def add(self, number: float) -> None:
        """What is not finite is passed over."""
        if not math.isfinite(number):
            return
        if self.seen % self.stride == 0:
            self.kept.append(number)
        self.seen += 1
        if len(self.kept) > MOST:
            del self.kept[1::2]
            self.stride *= 2
