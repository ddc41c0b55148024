"""The commands of `refute`, one module each."""
