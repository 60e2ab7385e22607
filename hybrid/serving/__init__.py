"""`hybrid serve`: a page to look at, and the segmenter as a JSON API. Needs the extra "serve"."""
