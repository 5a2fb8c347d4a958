"""Work that must not happen in the server's own process: users' Python agents, which may hang, and the compiler."""
