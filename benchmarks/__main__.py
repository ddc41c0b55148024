"""`python -m benchmarks NAME [options]`: each module of this package with a function
`main(arguments)` is a benchmark.
"""

import importlib
import os
import pkgutil
import sys

# Before anything imports numpy: a measurement on one thread is one that can be repeated.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import benchmarks  # noqa: E402


def names() -> list[str]:
    return sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")
    )


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in names():
        sys.stderr.write(f"usage: python -m benchmarks {{{','.join(names())}}} [options]\n")
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    benchmark = importlib.import_module(f"benchmarks.{arguments[0]}")
    return int(benchmark.main(arguments[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
