"""The web table: `kagiya serve`. The server draws HTML and SVG; a small script puts it into the page."""
