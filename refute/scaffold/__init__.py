"""What `refute init` writes: files with `$name`, `$module` and `$title` in them."""
