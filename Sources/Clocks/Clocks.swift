// Clocks: see ARCHITECTURE.md.
