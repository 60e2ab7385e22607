"""What parts of compounds cost a search engine, and what word lists find."""
