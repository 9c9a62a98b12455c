// Reactor: see ARCHITECTURE.md.
