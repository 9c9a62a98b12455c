import Glibc
import JSON
import TestSupport
import Testing

@Suite("The password in memory")
struct PasswordMemoryTests {
  private static let password = "a-passphrase-found-if-it-is-there-4711"

  @Test(
    "is in no page of the daemon once it is signed in", arguments: ["password-file = ", "password-command = cat "])
  func wiped(way: String) throws {
    let folder = try TemporaryFolder("memory")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: ["alice": Self.password])
      try folder.write("secret", Self.password + "\n", mode: 0o600)
      var account = server.account("alice")
      account.password = nil
      account.more = [way + folder.file("secret")]
      let daemon = try Daemon(in: folder, accounts: [account])
      try daemon.client().waitUntilOnline()
      let pages = try ProcessMemory(of: try #require(daemon.processID))
      #expect(pages.count(of: Array("alice@".utf8)) > 0)
      #expect(pages.count(of: Array(Self.password.utf8.prefix(24))) == 0)
      #expect(pages.count(of: Array(Self.password.utf8.suffix(20))) == 0)
    }
  }
}

/// What a process has in its readable memory at one moment. /proc/PID/maps, /proc/PID/mem
private struct ProcessMemory {
  private var pages: [[UInt8]] = []

  init(of process: pid_t) throws {
    let maps = try #require(TestFiles.read("/proc/\(process)/maps"))
    let memory = Glibc.open("/proc/\(process)/mem", O_RDONLY)
    try #require(memory >= 0)
    defer { Glibc.close(memory) }
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      let range = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard range.count == 2, fields[1].hasPrefix("rw") else { continue }
      var bytes = [UInt8](repeating: 0, count: range[1] - range[0])
      let count = unsafe pread(memory, &bytes, bytes.count, off_t(range[0]))
      if count > 0 { pages.append(Array(bytes[..<count])) }
    }
  }

  func count(of text: [UInt8]) -> Int {
    pages.reduce(0) { sum, page in
      sum + (unsafe page.withUnsafeBytes { page in
        var (count, offset) = (0, 0)
        while let found = unsafe memmem(page.baseAddress! + offset, page.count - offset, text, text.count) {
          count += 1
          offset = unsafe UnsafeRawPointer(found) - page.baseAddress! + 1
        }
        return count
      })
    }
  }
}
