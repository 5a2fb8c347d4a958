"""How quick the web table is: visitors who play at many tables of a server in a process of its own."""
