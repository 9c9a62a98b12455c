// XMPPExtensions: see ARCHITECTURE.md.
