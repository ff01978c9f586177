"""Tests of images for simulators of their processors."""
