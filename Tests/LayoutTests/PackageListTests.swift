import TestSupport
import Testing

/// config/packages.txt is the one list of Debian packages.
@Suite("config/packages.txt")
struct PackageListTests {
  private static let lines = (TestFiles.text(Products.repository + "/config/packages.txt") ?? "")
    .split(separator: "\n", omittingEmptySubsequences: false)

  /// The names, comments left out.
  private static let names = lines.map { $0.prefix { $0 != "#" }.trimmingSpaces() }.filter { !$0.isEmpty }

  @Test("has one package a line, each once")
  func format() {
    #expect(Self.names.count > 5)
    #expect(Set(Self.names).count == Self.names.count)
    for name in Self.names {
      let fits = name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
      }
      #expect(fits && name.count >= 2 && name.first?.isLetter == true, "\(name)")
    }
  }

  @Test("holds what Package.swift says that it needs")
  func providers() throws {
    let text = try #require(TestFiles.text(Products.repository + "/Package.swift"))
    let provided = text.ranges(of: ".apt([\"").map { text[$0.upperBound...].prefix { $0 != "\"" } }
    #expect(provided.count >= 5)
    for package in provided { #expect(Self.names.contains(package), "\(package)") }
  }

  @Test("is what everything that installs reads")
  func oneInstaller() {
    for path in ["Makefile", ".ci/run", "config/demo"] {
      let text = TestFiles.text(Products.repository + "/" + path) ?? ""
      #expect(!text.contains("apt"), "\(path) installs by itself")
    }
  }

  @Test("is installed, and then the installer has nothing to do and nothing to say")
  func silence() throws {
    let done = try Program.run([Products.repository + "/config/install-packages"])
    #expect(done.status == .exited(0))
    #expect(done.output.isEmpty && done.error.isEmpty)
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> Substring {
    let front = drop { $0 == " " }
    return front.prefix(front.lastIndex { $0 != " " }.map { front.distance(from: front.startIndex, to: $0) + 1 } ?? 0)
  }
}
