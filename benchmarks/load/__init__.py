"""Hours of words through one process: nothing lost, memory flat, no handle left open."""
