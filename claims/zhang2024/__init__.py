"""Zhang, Saxe, Latham (2024): When Are Bias-Free ReLU Networks Like Linear Networks?"""
