"""What only Kou, Chen, Gu (2023) needs to draw and to repair."""
