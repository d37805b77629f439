// Nothing: the runner wants a file of this name.
