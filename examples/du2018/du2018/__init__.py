"""du2018: Algorithmic regularization in learning deep homogeneous models: layers are automatically balanced.

Simon S. Du, Wei Hu, Jason D. Lee, NeurIPS 2018. One file per numbered statement; ids begin with the name of the paper.
"""

CITATION = """\
@inproceedings{du2018,
  title = {Algorithmic regularization in learning deep homogeneous models: Layers are automatically balanced},
  author = {Du, Simon S. and Hu, Wei and Lee, Jason D.},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2018},
}
"""
