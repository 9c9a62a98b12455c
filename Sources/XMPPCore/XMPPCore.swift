// XMPPCore: see ARCHITECTURE.md.
