import TestSupport
import Testing

/// The units of systemd, as `make install` puts them.
@Suite("The units")
struct UnitTests {
  private static let folder = Products.repository + "/systemd"

  /// Installs what the tests were built with, below a folder that stands for `/`.
  private func install(_ folder: TemporaryFolder, prefix: String = "/usr") throws -> String {
    let root = try folder.makeFolder("root", mode: 0o755)
    let places = ["BUILD=\(Products.folder)", "PREFIX=\(prefix)", "DESTDIR=\(root)"]
    let done = try Program.run(["make", "-s", "-C", Products.repository, "install"] + places)
    try #require(done.status == .exited(0), "\(done.errorText)")
    return root
  }

  @Test("have nothing that systemd does not understand", arguments: ["system", "user"])
  func verified(kind: String) throws {
    let folder = try TemporaryFolder("units")
    let root = try install(folder)
    let units = ["confabd.service", "confabd.socket"].map { "/usr/lib/systemd/\(kind)/\($0)" }
    // What is installed there is looked at, and all else that a unit can refer to is this machine's.
    for unit in units {
      let text = try #require(TestFiles.text(root + unit))
      let name = String(unit.split(separator: "/").last ?? "")
      try folder.write(name, text.replacing("/usr/bin/confabd", with: root + "/usr/bin/confabd"))
    }
    let files = ["confabd.service", "confabd.socket"].map { folder.file($0) }
    var environment = ProcessEnvironment.current
    environment["XDG_RUNTIME_DIR"] = folder.path
    let done = try Program.run(
      ["systemd-analyze", "verify", "--man=no", "--\(kind)"] + files, environment: environment)
    #expect(done.status == .exited(0))
    #expect(done.errorText.isEmpty, "\(done.errorText)")
  }

  @Test("leave the system's daemon an exposure of at most 2.0, and say why there is any")
  func exposure() throws {
    let unit = Self.folder + "/system/confabd.service"
    let done = try Program.run(
      ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit])
    #expect(done.status == .exited(0), "\(done.text.suffix(200))")
    let comments = (TestFiles.text(unit) ?? "").split(separator: "\n").filter { $0.hasPrefix("# -") }.joined()
    let left = done.text.split(separator: "\n").filter { $0.contains("✗") }
    #expect(!left.isEmpty)
    for line in left {
      let name = line.drop { $0 == " " || $0 == "✗" || $0 == "\u{1B}" }.prefix { $0 != " " && $0 != "/" && $0 != "=" }
      #expect(comments.contains(name), "nothing is said of \(name)")
    }
  }

  /// What a user's service manager has no rights for counts nothing with `--user`, and the rest more.
  @Test(
    "leave a user's daemon an exposure of at most 6.2 as a service of the system, and of 6.4 as one of a user",
    arguments: [([], 62), (["--user"], 64)])
  func userExposure(options: [String], tenths: Int) throws {
    let folder = try TemporaryFolder("units")
    var environment = ProcessEnvironment.current
    environment["XDG_RUNTIME_DIR"] = folder.path
    let unit = Self.folder + "/user/confabd.service"
    let done = try Program.run(
      ["systemd-analyze"] + options + ["security", "--offline=true", "--threshold=\(tenths)", "--no-pager", unit],
      environment: environment)
    #expect(done.status == .exited(0), "\(done.text.suffix(200))\(done.errorText)")
  }

  @Test("bound memory, tasks and descriptors of the daemon", arguments: ["system", "user"])
  func bounds(kind: String) throws {
    let lines = try #require(TestFiles.text(Self.folder + "/\(kind)/confabd.service")).split(separator: "\n")
    for setting in ["MemoryMax=", "TasksMax=", "LimitNOFILE=", "LimitCORE=0"] {
      #expect(lines.contains { $0.hasPrefix(setting) }, "\(setting)")
    }
  }

  @Test("install takes another prefix, and uninstall leaves nothing")
  func prefix() throws {
    let folder = try TemporaryFolder("units")
    let root = try install(folder, prefix: "/opt/confab")
    let unit = TestFiles.text(root + "/opt/confab/lib/systemd/system/confabd.service") ?? ""
    #expect(unit.contains("\nExecStart=/opt/confab/bin/confabd --config /etc/confab/confab.conf\n"))
    #expect(try Program.run([root + "/opt/confab/bin/confab", "--version"]).status == .exited(0))
    #expect(TestFiles.below(root).count > 20)
    let done = try Program.run(
      ["make", "-s", "-C", Products.repository, "uninstall", "PREFIX=/opt/confab", "DESTDIR=\(root)"])
    #expect(done.status == .exited(0))
    #expect(TestFiles.below(root).isEmpty)
  }

  @Test(
    "work with a real systemd, for the system and for a user: start, status, reload, watchdog, activation, credentials",
    .enabled(if: Machine.mayBoot, "no machine may be booted here: Tests/Support/systemd_machine --check / says why"))
  func booted() throws {
    let folder = try TemporaryFolder("units")
    let root = try install(folder)
    let done = try Program.run(
      [Products.support("systemd_machine"), "/", Products.support("service_in_machine"), "\(root)=/"],
      until: .seconds(300))
    #expect(done.status == .exited(0), "\(done.text)\n\(done.errorText)")
    #expect(done.text.contains("\n# for a user\n"))
  }

  @Test(
    "README's first five minutes, word by word, lead somebody new to a service that is enabled, runs and comes back",
    .enabled(if: Machine.mayBoot, "no machine may be booted here: Tests/Support/systemd_machine --check / says why"))
  func newcomer() throws {
    let folder = try TemporaryFolder("units")
    let root = try install(folder)
    let files = [
      "\(root)=/", "\(Products.repository)/README.md=/newcomer/README.md",
      "\(try Certificates.folder())=/newcomer/certificates",
    ]
    let done = try Program.run(
      [Products.support("systemd_machine"), "/", Products.support("newcomer_in_machine")] + files, until: .seconds(300))
    #expect(done.status == .exited(0), "\(done.text)\n\(done.errorText)")
    for line in ["It came back: you are online.", "enabled", "active", "alice@example.test  online"] {
      #expect(done.text.contains("\n\(line)\n"), "\(done.text)")
    }
    #expect(!done.text.contains("WRONG") && !done.text.contains("wonderland"))
  }
}

/// A machine of our own, with a real systemd; see Tests/Support/systemd_machine.
enum Machine {
  static let mayBoot =
    (try? Program.run([Products.support("systemd_machine"), "--check", "/"]).status) == .exited(0)
}
