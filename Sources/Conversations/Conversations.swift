// Conversations: see ARCHITECTURE.md.
