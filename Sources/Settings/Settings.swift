// Settings: see ARCHITECTURE.md.
