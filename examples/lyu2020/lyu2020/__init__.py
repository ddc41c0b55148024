"""lyu2020: Gradient descent maximizes the margin of homogeneous neural networks.

Kaifeng Lyu, Jian Li, ICLR 2020. One file per numbered statement; ids begin with the name of the paper.
"""

CITATION = """\
@inproceedings{lyu2020,
  title = {Gradient descent maximizes the margin of homogeneous neural networks},
  author = {Lyu, Kaifeng and Li, Jian},
  booktitle = {International Conference on Learning Representations},
  year = {2020},
}
"""
