// Names: see ARCHITECTURE.md.
