// Syscalls: see ARCHITECTURE.md.
