"""The server: the application, routes, sockets of pages, limits, who may ask, and what all pages share."""
