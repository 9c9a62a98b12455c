// MessageLog: see ARCHITECTURE.md.
