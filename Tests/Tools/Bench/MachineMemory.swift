import Glibc

/// The machine's memory, before it is measured what a program costs.
enum MachineMemory {
  /// A GiB, but no more than half of what is free.
  private static var bytes: Int { min(1 << 30, sysconf(Int32(_SC_AVPHYS_PAGES)) * 4096 / 2) }

  /// Has the kernel hand out memory once, and gives it back. In a virtual machine a page that was never used costs whoever
  /// touches it first some 10 us, since the host has to find it, against 0.2 us later; what writes to a log takes new pages
  /// all the time, and what only parses takes none. Where there is no such memory, nothing is done.
  static func touch() {
    let bytes = bytes
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
    guard let memory = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe memory != MAP_FAILED else {
      return
    }
    unsafe munmap(memory, bytes)
  }
}
