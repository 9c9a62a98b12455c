// Crypto: see ARCHITECTURE.md.
