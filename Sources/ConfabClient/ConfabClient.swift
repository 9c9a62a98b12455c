// ConfabClient: see ARCHITECTURE.md.
