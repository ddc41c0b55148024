"""Gradient descent: one case in fused kernels, batches of tensors, exact rationals and balls, and times to 10^20."""
