"""Files for search engines on Lucene: what finds a compound by its parts, made of a list of the words in an index."""
