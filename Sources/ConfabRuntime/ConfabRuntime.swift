// ConfabRuntime: see ARCHITECTURE.md.
