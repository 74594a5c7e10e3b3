"""What lets other frameworks use a memory. Each needs its own extra; import the module that you need."""
