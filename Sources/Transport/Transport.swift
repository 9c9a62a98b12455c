// Transport: see ARCHITECTURE.md.
