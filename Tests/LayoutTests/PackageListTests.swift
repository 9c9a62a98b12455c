import TestSupport
import Testing

/// config/packages.txt is the one list of Debian packages.
@Suite("config/packages.txt")
struct PackageListTests {
  /// The words of each line, comments left out: a name and its purposes.
  private static let rows = (TestFiles.text(Products.repository + "/config/packages.txt") ?? "")
    .split(separator: "\n").map { $0.prefix { $0 != "#" }.split(separator: " ") }.filter { !$0.isEmpty }

  private static let names = rows.map { $0[0] }

  @Test("has one package a line, each once, and what it is for")
  func format() {
    #expect(Self.names.count > 5)
    #expect(Set(Self.names).count == Self.names.count)
    let purposes: Set<Substring> = ["build", "run", "demo", "test", "deb", "long", "bench"]
    for row in Self.rows {
      let fits = row[0].utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
      }
      #expect(fits && row[0].count >= 2 && row[0].first?.isLetter == true, "\(row[0])")
      #expect(row.count > 1 && purposes.isSuperset(of: row.dropFirst()), "\(row)")
    }
  }

  @Test("holds what Package.swift says that it needs")
  func providers() throws {
    let text = try #require(TestFiles.text(Products.repository + "/Package.swift"))
    let provided = text.split(separator: "\"").filter { $0.hasPrefix("lib") && $0.hasSuffix("-dev") }
    #expect(provided.count > 10)
    for package in provided { #expect(Self.names.contains(package), "\(package)") }
  }

  @Test("is what everything that installs reads")
  func oneInstaller() {
    for path in ["Makefile", ".ci/run", "config/demo"] {
      let text = TestFiles.text(Products.repository + "/" + path) ?? ""
      #expect(!text.contains("apt"), "\(path) installs by itself")
    }
  }

  @Test("is what each target of make installs from: what it is for, and no more")
  func purposes() throws {
    for purposes in [["build", "run"], ["demo"], ["test"], ["deb"], ["long"], ["bench"], []] {
      let rows = Self.rows.filter {
        purposes.isEmpty || !Set($0.dropFirst().map(String.init)).isDisjoint(with: purposes)
      }
      #expect(try wanted(for: purposes) == rows.map { "absent-" + $0[0] })
    }
    let demo = try wanted(for: ["build", "run", "demo"])
    #expect(demo.contains("absent-prosody") && !demo.contains("absent-ejabberd") && !demo.contains("absent-lintian"))
    for (target, packages) in [
      ("release", []), ("demo", ["demo"]), ("test", ["test"]), ("bench", ["bench"]), ("deb", ["deb"]),
    ] {
      let plan = try Program.run(["make", "--dry-run", "-C", Products.repository, target]).text
      for purpose in ["build run"] + packages { #expect(plan.contains("install-packages \(purpose)\n"), "\(target)") }
      #expect(plan.ranges(of: "install-packages ").count == packages.count + 1, "\(target)")
    }
  }

  /// What would be installed on a machine that has none of the packages.
  private func wanted(for purposes: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let list = try folder.write("packages.txt", Self.rows.map { "absent-" + $0.joined(separator: " ") + "\n" }.joined())
    let done = try Program.run(
      [Products.repository + "/config/install-packages", "--dry-run", "--list", list] + purposes)
    return done.text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  @Test("is installed as far as tests need it, and then the installer has nothing to do and nothing to say")
  func silence() throws {
    let done = try Program.run([Products.repository + "/config/install-packages", "build", "run", "test"])
    #expect(done.status == .exited(0))
    #expect(done.output.isEmpty && done.error.isEmpty)
  }
}
