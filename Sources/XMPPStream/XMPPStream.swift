// XMPPStream: see ARCHITECTURE.md.
