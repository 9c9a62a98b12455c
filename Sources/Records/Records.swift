// Records: see ARCHITECTURE.md.
