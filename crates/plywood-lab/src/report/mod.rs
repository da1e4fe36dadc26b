//! What a run shows, as one HTML file and as Markdown.
