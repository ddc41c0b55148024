"""Min, Mallada, Vidal (2024): Early Neuron Alignment in Two-layer ReLU Networks with Small Initialization."""
