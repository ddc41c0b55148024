"""Fixtures for every test."""

pytest_plugins = ["pytester"]
