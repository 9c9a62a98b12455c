// ConfabEngine: see ARCHITECTURE.md.
