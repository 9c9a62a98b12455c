// NameService: see ARCHITECTURE.md.
