"""What an author writes: claims and their parts, assumptions, cases, relations."""
