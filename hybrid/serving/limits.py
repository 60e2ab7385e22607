"""How much one request may ask; more is an error that says so. Chosen so that none takes the server minutes."""

MOST_BODY = 1 << 20
"""Bytes of a request's body."""

LONGEST_ASKED = 1000
"""Characters of one word; the segmenter leaves longer ones whole anyway."""

LONGEST_TEXT = 50_000
"""Characters of a text, and of all words of a request together."""

MOST_EFFORT = 250_000
"""Characters of all words of a request, times k or min_parts: of the slowest words, some 15 s."""

MOST_WORDS = 1000

MOST_RANKED = 20
"""Splits of one word."""

MOST_ANSWERED = 2000
"""Splits of all words of a request together."""

MOST_OWN = 200
"""Words of the caller's own in a request, of each kind."""

MOST_NAMED = 20
"""Columns to switch off."""

MOST_WAITING = 500
"""Requests that wait in a lane; a further one is told to come again."""

QUICK_WORD = 100
"""Characters; a longer word waits in the lane of what takes long."""

PATIENCE = 30
"""Seconds in which the head of a request has to come, and then its body."""

MOST_CONNECTIONS = 4096
"""Connections at a time; fewer where the system lets a process have fewer open files."""
