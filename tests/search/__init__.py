"""Tests of search/: strategies and driver on made-up execution trees and programs, without C and without a solver."""
