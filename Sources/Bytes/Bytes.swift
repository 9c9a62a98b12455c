// Bytes: see ARCHITECTURE.md.
