"""One module for each command of `kagiya`: its options, and the order of its steps."""
