"""lyu2020: the title of the paper, its authors, where it appeared.

One file per numbered statement, named after it. Ids begin with the name of the paper.
"""

CITATION = """\
@article{lyu2020,
  title = {},
  author = {},
  year = {},
}
"""
