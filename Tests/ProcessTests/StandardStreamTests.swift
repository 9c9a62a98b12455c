import TestSupport
import Testing

/// Both programs with standard descriptors that are closed, or that accept no output.
@Suite("Standard streams")
struct StandardStreamTests {
  private func shell(_ words: String) throws -> Program.Finished { try Program.run(["sh", "-c", words]) }

  @Test("a command's output never reaches the daemon as a request, whichever descriptors are closed")
  func closedOutput() throws {
    try withDaemon { daemon, client in
      let confab = "\(Products.program("confab")) --socket \(daemon.socketPath)"
      try client.ask("draft bob@example.test send eve@example.test injected")
      for closed in [">&-", "<&- >&-", "<&- >&- 2>&-"] {
        #expect(try shell("\(confab) draft bob@example.test \(closed)").status == .exited(74), "\(closed)")
        #expect(try shell("echo /list | \(confab) --plain \(closed)").status == .exited(74), "\(closed)")
      }
      #expect(try client.history("eve@example.test").isEmpty)
      #expect(try shell("\(confab) send bob@example.test - <&-").status == .exited(65))
      #expect(try client.history("bob@example.test").isEmpty)
    }
  }

  @Test("a daemon started with all three closed does not reuse their numbers for its files")
  func closedInDaemon() throws {
    let folder = try TemporaryFolder("closed")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder, wrapper: ["sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh"])
      #expect(try daemon.client().request("ping").isOK)
      let process = try #require(daemon.processID)
      let names = try shell("readlink /proc/\(process)/fd/0 /proc/\(process)/fd/1 /proc/\(process)/fd/2")
      #expect(names.text == "/dev/null\n/dev/null\n/dev/null\n")
    }
  }

  @Test("every command fails with the same exit status if its output cannot be written")
  func fullOutput() throws {
    try withDaemon { daemon, client in
      try client.ask("send bob@example.test hello")
      let confab = "\(Products.program("confab")) --socket \(daemon.socketPath)"
      let confabd = "\(Products.program("confabd")) --config \(daemon.configurationPath)"
      for command in [
        "\(confab) history bob@example.test", "\(confab) --json history bob@example.test", "\(confab) status",
        "\(confab) help", "\(confab) --version", "\(confab) send bob@example.test again", "\(confab) watch --since=0",
        "\(confab) help keys", "echo /list | \(confab) --plain",
        "\(Products.program("confab")) log verify --data \(daemon.dataPath)", "\(confabd) --check", "\(confabd) --help",
      ] {
        let full = try shell("\(command) > /dev/full")
        #expect(full.status == .exited(74), "\(command): \(full.errorText)")
        #expect(full.errorText.contains("standard output: No space left on device"), "\(command): \(full.errorText)")
      }
      // The request is done all the same, and a refusal is still reported as one.
      #expect(try client.history("bob@example.test").map { $0.text("text") } == ["hello", "again"])
      #expect(try shell("\(confab) --json cancel 99999 > /dev/full").status == .exited(1))
      // A reader that closes the pipe early is no failure.
      #expect(try shell("{ \(confab) history bob@example.test; echo $? >&2; } | true").errorText == "0\n")
    }
  }

  @Test("a plain mode whose input cannot be read fails as a command does", arguments: ["<&-", "</", ">/dev/null 0>&1"])
  func unreadableInput(redirection: String) throws {
    try withDaemon { daemon, client in
      let confab = "\(Products.program("confab")) --socket \(daemon.socketPath)"
      for command in ["send bob@example.test -", "--plain"] {
        let done = try shell("\(confab) \(command) \(redirection)")
        #expect(done.status == .exited(65), "\(command): \(done.text)")
        #expect(done.errorText.hasPrefix("confab: standard input cannot be read"), "\(command): \(done.errorText)")
      }
      #expect(try client.history("bob@example.test").isEmpty)
    }
  }

  @Test("no program is killed by the limit on file sizes: the output cannot be written")
  func fileSizeLimit() throws {
    let folder = try TemporaryFolder("limit")
    try withDaemon { daemon, client in
      let confab = "\(Products.program("confab")) --socket \(daemon.socketPath)"
      for command in ["help", "help keys", "--plain </dev/null"] {
        let done = try shell("ulimit -f 0; \(confab) \(command) >\(folder.file("output"))")
        #expect(done.status == .exited(74), "\(command): \(done.errorText)")
        #expect(done.errorText.contains("standard output: File too large"), "\(command): \(done.errorText)")
      }
    }
  }
}
