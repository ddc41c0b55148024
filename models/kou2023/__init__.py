"""What only Kou, Chen, Gu (2023) needs to train or to compute."""
