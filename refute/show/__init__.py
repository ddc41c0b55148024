"""Show what was found: tables, pages, the report, notebooks, plots."""
