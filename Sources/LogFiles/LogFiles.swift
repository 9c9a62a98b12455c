// LogFiles: see ARCHITECTURE.md.
