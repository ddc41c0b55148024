"""Which devices tensors can live on."""


def available() -> list[str]:
    """ "cpu", and "cuda" when torch finds one."""
    import torch

    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
