import JSON
import TestSupport
import Testing

/// The real daemon on a disk that fails: by strace, which makes its system calls fail, and in a small file system.
@Suite("Trouble with the disk")
struct DiskTests {
  static let canTrace = (try? Program.run(["strace", "-o", "/dev/null", "true"]).status) == .exited(0)
  static let canMount =
    (try? Program.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status) == .exited(0)

  /// A file system of its own in a file: `mount -o remount,abort` makes it what an error makes of it, read-only.
  private static let canLoop =
    (try? Program.run([
      "unshare", "--mount", "sh", "-c",
      "image=$(mktemp) && truncate -s 2M $image && mkfs.ext4 -q $image && mount -o loop $image /mnt; status=$?; rm $image; "
        + "exit $status",
    ]).status) == .exited(0)

  /// Runs the daemon with some of its calls failing. Calls are counted for each thread: its log's has no others of these.
  private func failing(_ call: String, _ error: String, when: String, in folder: TemporaryFolder) throws -> Daemon {
    try Daemon(
      in: folder,
      wrapper: [
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)",
        "-e", "inject=\(call):error=\(error):when=\(when)",
      ])
  }

  /// The texts that another daemon finds in the same data.
  private func found(in data: String, _ folder: TemporaryFolder) throws -> [String] {
    let daemon = try Daemon("second", in: folder, data: data)
    let texts = try daemon.client().history("bob@example.test").map { $0.text("text") }
    try daemon.kill()
    return texts
  }

  @Test(
    "a call that fails once costs nobody anything", .enabled(if: canTrace, "strace may not be used here"),
    arguments: ["fdatasync", "pwrite64"], [2, 3, 4])
  func once(call: String, number: Int) throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try failing(call, "EIO", when: "\(number)", in: folder)
      let client = try daemon.client()
      for text in 1...5 { #expect(try client.request("send bob@example.test \(text)").isOK) }
      #expect(daemon.log.contains("trying a new segment"))
      try daemon.kill()
      #expect(try found(in: daemon.dataPath, folder) == ["1", "2", "3", "4", "5"])
    }
  }

  @Test(
    "who is told that nothing was stored finds nothing, and it goes on by itself",
    .enabled(if: canTrace, "strace may not be used here"),
    arguments: [
      ("fdatasync", "EIO", "3..5", "storage"), ("pwrite64", "EROFS", "3..4", "storage"),
      ("pwrite64", "ENOSPC", "3..4", "no-space"),
    ])
  func refused(call: String, error: String, when: String, answer: String) throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      // The third batch (the account's record is the first), then the same in a new segment; the sync of what is cut off.
      let daemon = try failing(call, error, when: when, in: folder)
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test before").isOK)
      #expect(try client.request("send bob@example.test refused").final["error"]?.string == answer)
      // What is sent before the disk works again is refused as well.
      try daemon.wait(toSay: "can be written again")
      #expect(try client.request("send bob@example.test after").isOK)
      try daemon.kill()
      #expect(try found(in: daemon.dataPath, folder) == ["before", "after"])
    }
  }

  @Test("a log that is a link to another disk is written, scrubbed and verified, and its absence is an error")
  func linked() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let disk = try folder.makeFolder("disk") + "/log"
      let data = try folder.makeFolder("data")
      _ = try folder.makeFolder("disk/log")
      #expect(try runCommand("ln", "-s", disk, data + "/log") == 0)
      let daemon = try Daemon(in: folder, data: data)
      let client = try daemon.client()
      #expect(try client.request("send hold=1h bob@example.test a secret word").isOK)
      let id = try #require(try client.history("bob@example.test").first?["id"]?.integer)
      #expect(try client.request("cancel \(id)").isOK)
      #expect(try client.request("forget-history bob@example.test").isOK)
      try daemon.terminate()
      let confab = Products.program("confab")
      #expect(try runCommand(confab, "log", "scrub", "--data", data) == 0)
      #expect(!TestFiles.names(in: disk).contains { TestFiles.contains("\(disk)/\($0)", "secret") })
      #expect(try runCommand(confab, "log", "verify", "--data", data) == 0)
      try daemon.start()
      #expect(try daemon.client().request("send bob@example.test before").isOK)
      #expect(try runCommand("mv", disk, disk + ".old") == 0 && runCommand("mkdir", "-m", "700", disk) == 0)
      TestFiles.removeTree(disk + ".old")
      #expect(try daemon.client().request("send bob@example.test after").final["error"]?.string == "storage")
      #expect(try daemon.waitForEnd() == .exited(74))
    }
  }

  @Test(
    "an export needs no file system that has files without a name",
    .enabled(if: canTrace, "strace may not be used here"))
  func noTemporaryFiles() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      #expect(try daemon.client().request("send bob@example.test hello").isOK)
      let scratch = try folder.makeFolder("scratch")
      let export = try Program.run(
        [
          "strace", "-f", "-qq", "-o", "/dev/null", "-P", scratch, "-e", "inject=openat:error=EOPNOTSUPP",
          Products.program("confab"), "log", "export", "--data", daemon.dataPath,
        ], environment: ["TMPDIR": scratch, "PATH": "/usr/bin:/bin"])
      #expect(export.status == .exited(0) && export.text.contains("hello"), "\(export.errorText)")
      #expect(TestFiles.names(in: scratch) == [])
    }
  }

  @Test(
    "a limit on file sizes does not stop the daemon: it continues in new segments, or refuses messages",
    arguments: [512, 40])
  func fileSizeLimit(kilobytes: Int) throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let limit = kilobytes << 10
      let daemon = try Daemon(in: folder, wrapper: ["prlimit", "--fsize=\(limit):unlimited", "--"])
      let client = try daemon.client()
      let long = String(repeating: "x", count: 50_000)
      var texts: [String] = []
      for number in 0..<30 {
        let answer = try client.request("send bob@example.test \(number) \(long)")
        // A message longer than any file may be is refused.
        #expect(answer.isOK ? limit > 50_000 : answer.final["error"]?.string == "storage")
        if answer.isOK { texts.append("\(number)") }
      }
      let process = try #require(daemon.processID)
      #expect(try runCommand("prlimit", "--pid", "\(process)", "--fsize=unlimited") == 0)
      if texts.isEmpty { try daemon.wait(toSay: "can be written again") }
      #expect(try client.request("send bob@example.test after").isOK)
      try daemon.kill()
      #expect(try found(in: daemon.dataPath, folder).map { String($0.prefix { $0 != " " }) } == texts + ["after"])
      #expect(try runCommand(Products.program("confab"), "log", "verify", "--data", daemon.dataPath) == 0)
    }
  }

  @Test("a data directory that is removed is noticed; when one is there again, the daemon ends, to begin with that")
  func removed() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test before").isOK)
      #expect(try Program.run(["cp", "-a", daemon.dataPath, daemon.home + "/copy"]).status == .exited(0))
      TestFiles.removeTree(daemon.dataPath)
      for _ in 1...2 {
        #expect(try client.request("send bob@example.test after").final["error"]?.string == "storage")
      }
      #expect(try client.history("bob@example.test").map { $0.text("text") } == ["before"])
      #expect(try Program.run(["mv", daemon.home + "/copy", daemon.dataPath]).status == .exited(0))
      #expect(try daemon.waitForEnd() == .exited(74))
      try daemon.start()
      let next = try daemon.client()
      #expect(try next.request("send bob@example.test anew").isOK)
      #expect(try next.history("bob@example.test").map { $0.text("text") } == ["before", "anew"])
    }
  }

  @Test("a data directory that is moved and replaced takes no more messages, and the daemon ends with 74")
  func replaced() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test before").isOK)
      let moved = daemon.home + "/moved"
      #expect(
        try Program.run(["sh", "-c", "mv $0 $1 && mkdir $0", daemon.dataPath, moved]).status == .exited(0))
      #expect(try client.request("send bob@example.test lost").final["error"]?.string == "storage")
      #expect(try daemon.waitForEnd() == .exited(74))
      #expect(daemon.log.contains("\(daemon.dataPath) is another directory now"))
      #expect(try found(in: moved, folder) == ["before"])
    }
  }

  @Test("a data directory that is moved away takes no more messages, and is used again once it is back")
  func moved() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test before").isOK)
      let moved = daemon.home + "/moved"
      #expect(try runCommand("mv", daemon.dataPath, moved) == 0)
      #expect(try client.request("send bob@example.test lost").final["error"]?.string == "storage")
      #expect(try runCommand("mv", moved, daemon.dataPath) == 0)
      try daemon.wait(toSay: "can be written again")
      #expect(try client.request("send bob@example.test after").isOK)
      try daemon.kill()
      #expect(try found(in: daemon.dataPath, folder) == ["before", "after"])
    }
  }

  @Test("a first start under any umask makes files that the owner can use", arguments: ["777", "700", "022"])
  func umask(mask: String) throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let wrapper = ["sh", "-c", "umask \(mask); exec \"$@\"", "sh"]
      let daemon = try Daemon(in: folder, wrapper: wrapper)
      #expect(try daemon.client().request("send bob@example.test before").isOK)
      #expect(try daemon.terminate() == .exited(0))
      #expect(try found(in: daemon.dataPath, folder) == ["before"])
      let modes = try Program.run(["find", daemon.dataPath, "-not", "-perm", "600", "-not", "-perm", "700"])
      #expect(modes.text.isEmpty)
    }
  }

  @Test("damaged pages of the index are noticed when they are needed, and made anew from the log")
  func damagedIndex() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let client = try daemon.client()
      for number in 1...100 { #expect(try client.request("send bob@example.test text \(number)").isOK) }
      #expect(try daemon.terminate() == .exited(0))
      var index = try #require(TestFiles.read(daemon.dataPath + "/index"))
      for offset in stride(from: 16_384 + 40, to: index.count, by: 16_384) { index[offset] ^= 0x80 }
      try TestFiles.write(daemon.dataPath + "/index", index)
      try daemon.start()
      let texts = try daemon.client().history("bob@example.test").map { $0.text("text") }
      #expect(texts == (1...100).map { "text \($0)" })
      try daemon.wait(toSay: "the log has been read")
      #expect(daemon.log.contains("the index is damaged: page "))
    }
  }

  @Test(
    "a file system that an error made read-only refuses and is read; mended, it has all that was promised",
    .enabled(if: canLoop, "ext4 may not be mounted from a file here"))
  func readOnly() throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let (data, image) = (try folder.makeFolder("small"), folder.path + "/image")
      func run(_ arguments: String...) throws { #expect(try Program.run(arguments).status == .exited(0)) }
      try run("truncate", "-s", "16M", image)
      try run("mkfs.ext4", "-q", image)
      try run("mount", "-o", "loop", image, data)
      defer { _ = try? Program.run(["umount", "--lazy", data]) }
      try run("chmod", "700", data)
      let daemon = try Daemon(in: folder, data: data)
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test before").isOK)
      // It says that it failed, and has done it.
      _ = try Program.run(["mount", "-o", "remount,abort", data])
      for _ in 1...2 {
        #expect(try client.request("send bob@example.test refused").final["error"]?.string == "storage")
      }
      #expect(try client.history("bob@example.test").map { $0.text("text") } == ["before"])
      #expect(daemon.log.contains("Read-only file system"))
      try daemon.kill()
      try run("umount", data)
      _ = try Program.run(["e2fsck", "-fy", image])
      try run("mount", "-o", "loop", image, data)
      try daemon.start()
      #expect(try daemon.client().request("send bob@example.test after").isOK)
      try daemon.kill()
      #expect(try found(in: data, folder) == ["before", "after"])
    }
  }

  /// Calls `body` with a daemon whose data are on a file system of their own.
  private func withSmallDisk(megabytes: Int, _ body: (TemporaryFolder, _ data: String, Daemon) throws -> Void) throws {
    let folder = try TemporaryFolder("disk")
    try folder.reportingLogs {
      let data = try folder.makeFolder("small")
      let mount = ["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700", "tmpfs", data]
      #expect(try Program.run(mount).status == .exited(0))
      defer { _ = try? Program.run(["umount", "--lazy", data]) }
      try body(folder, data, try Daemon(in: folder, data: data))
    }
  }

  @Test(
    "a full file system refuses, loses nothing, and goes on when there is room",
    .enabled(if: canMount, "file systems may not be mounted here"))
  func full() throws {
    try withSmallDisk(megabytes: 6) { folder, data, daemon in
      let client = try daemon.client()
      _ = try Program.run(["dd", "if=/dev/zero", "of=\(data)/filler", "bs=4k", "status=none"])
      let long = String(repeating: "x", count: 50_000)
      var count = 0
      while count < 200, try client.request("send bob@example.test \(count) \(long)").isOK { count += 1 }
      #expect(try client.request("send bob@example.test more").final["error"]?.string == "no-space")
      #expect(daemon.log.contains("waiting records went to the reserve"))
      #expect(try client.request("status").final["storage"]?["state"]?.string == "full")
      _ = try Program.run(["rm", data + "/filler"])
      try daemon.wait(toSay: "can be written again")
      #expect(try client.request("send bob@example.test after").isOK)
      #expect(try client.request("status").final["storage"] == nil)
      try daemon.kill()
      let texts = try found(in: data, folder).map { $0.prefix { $0 != " " } }
      #expect(texts == (0..<count).map { "\($0)" } + ["after"])
    }
  }

  @Test(
    "on a full file system a conversation is forgotten and erased, and what its texts took is free afterwards",
    .enabled(if: canMount, "file systems may not be mounted here"))
  func erasedWhenFull() throws {
    try withSmallDisk(megabytes: 6) { folder, data, daemon in
      let client = try daemon.client()
      let long = String(repeating: "x", count: 50_000)
      var count = 0
      while count < 200, let id = try client.request("send hold=1d bob@example.test \(count) \(long)").id {
        _ = try client.request("cancel \(id)")
        count += 1
      }
      #expect(count < 200)
      #expect(try client.request("send hold=1d bob@example.test more").error == "no-space")
      #expect(try client.request("forget-history bob@example.test").isOK)
      try daemon.terminate()
      let scrub = try Program.run([Products.program("confab"), "log", "scrub", "--data", data])
      #expect(scrub.status == .exited(0), "\(scrub.errorText)")
      try daemon.start()
      #expect(try daemon.client().request("send bob@example.test after \(long)").isOK)
      try daemon.kill()
    }
  }

  @Test(
    "on a full file system no file is taken or kept, nothing of it stays, and it is there once there is room",
    .enabled(if: canMount, "file systems may not be mounted here"))
  func fullOfFiles() throws {
    try withSmallDisk(megabytes: 8) { folder, data, daemon in
      let file = folder.file("large")
      try TestFiles.write(file, [UInt8](repeating: 1, count: 16 << 20))
      func send() throws -> JSONValue {
        let confab = [Products.program("confab"), "--socket", daemon.socketPath, "--json", "send-file"]
        return try JSONParser.parse(try Program.run(confab + ["bob@example.test", file]).output.filter { $0 != 0x0A })
      }
      #expect(try send().text("error") == "no-space")
      #expect(TestFiles.names(in: data + "/spool").isEmpty)
      #expect(try daemon.client().request("send bob@example.test text").isOK)
      try TestFiles.write(file, [UInt8](repeating: 1, count: 1 << 10))
      #expect(try send()["ok"]?.bool == true)
      #expect(TestFiles.names(in: data + "/spool").count == 1)
    }
  }
}
