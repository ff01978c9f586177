"""Records, our own: what rounds of the loop that reads the input took, put one behind the other in other orders.

A command needs what an earlier one made, a key a section before it, a login a name. No decision of the input is about
that: each record was accepted, or refused, in some run, but no run has a good first one and a good second one. So each
record is put behind each beginning that the program took, the shortest ones that are known (search/pieces/records.py).

Kin: fuzzers of protocols (AFLNet, SGFuzz) keep sequences of messages, and are told where one ends and what the state
is. Here rounds of the loop tell the one, and what the last record made the program do stands for the other.
"""

from __future__ import annotations

from untaken.search.attempts import Steps
from untaken.search.declaration import declares
from untaken.search.view import SearchView


@declares(flips=False)
def records(search: SearchView) -> Steps:
    """Puts records that the program took one behind the other, in orders that no run had."""
    known = search.analyses.records
    yield search.initial()
    while True:
        made = known.next()
        yield search.run(search.inputs.mixed(0.5) if made is None else made)
