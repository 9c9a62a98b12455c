// LogTool: see ARCHITECTURE.md.
