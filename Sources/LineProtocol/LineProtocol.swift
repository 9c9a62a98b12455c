// LineProtocol: see ARCHITECTURE.md.
