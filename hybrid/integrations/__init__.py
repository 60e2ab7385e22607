"""The segmenter inside other people's tools; one module a tool, each of which needs that tool and nothing else does."""
