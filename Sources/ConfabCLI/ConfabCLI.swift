// ConfabCLI: see ARCHITECTURE.md.
