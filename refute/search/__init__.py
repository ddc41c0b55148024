"""The hunt: climb the signed margin of a claim until it is violated, in chunks of work that any
number of workers may do.
"""
