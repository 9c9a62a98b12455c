import TestSupport
import Testing

/// What the binaries hold. `ldd` says nothing about a static one, so the symbols are looked at.
@Suite("Products")
struct ProductTests {
  /// Symbols of Foundation and Dispatch, mangled as Swift does it, or plain C.
  private static let banned = ["10Foundation", "20FoundationEssentials", "8Dispatch", "dispatch_main"]

  @Test("there is no Foundation in what the tests were built with", arguments: ["confabd", "confab"])
  func debug(program: String) throws {
    let path = Products.program(program)
    try expectNoFoundation(in: path)
    let needed = try output(["readelf", "-d", path]).split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(!needed.isEmpty)
    #expect(!needed.contains { $0.contains("Foundation") })
  }

  @Test(
    "nor in what ships, which brings its Swift along", .enabled(if: Release.isWanted), arguments: ["confabd", "confab"])
  func release(program: String) throws {
    let path = Products.releaseFolder + "/" + program
    try #require(TestFiles.exists(path), "not built: `make release`")
    try expectNoFoundation(in: path)
    let needed = try output(["readelf", "-d", path]).split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(!needed.contains { $0.contains("libswift") })
  }

  /// What a shell waits for with each `confab send`: a library of the server's side is a millisecond of it.
  @Test("the command line needs no library but the C and C++ runtime, neither in what ships", arguments: commandLines)
  func libraries(path: String) throws {
    try #require(TestFiles.exists(path), "not built")
    // Debug programs have Swift's own libraries beside them.
    let needed = try output(["ldd", path]).split(separator: "\n").filter { !$0.contains("/usr/lib/swift/") }
    #expect(needed.contains { $0.contains("libc.so.6") })
    let foreign = needed.filter { line in !Self.runtime.contains { line.contains($0) } }
    #expect(foreign.isEmpty)
  }

  private static let runtime = ["linux-vdso", "ld-linux", "libc.so", "libm.so", "libgcc_s", "libstdc++", "libinih.so"]

  private static let commandLines =
    [Products.program("confab")] + (Release.isWanted ? [Products.releaseFolder + "/confab"] : [])

  @Test("the test finds Foundation where it is")
  func canFail() throws {
    // The package manager's own test runner uses it.
    let symbols = try output(["nm", Products.folder + "/confabPackageTests.xctest"])
    #expect(Self.banned.contains { symbols.contains($0) })
  }

  private func expectNoFoundation(in path: String) throws {
    let symbols = try output(["nm", path]).split(separator: "\n")
    #expect(symbols.count > 100, "stripped?")
    let found = symbols.filter { symbol in Self.banned.contains { symbol.contains($0) } }
    #expect(found.isEmpty, "\(path): \(found.prefix(5))")
  }

  private func output(_ command: [String]) throws -> String {
    let done = try Program.run(command)
    try #require(done.status == .exited(0), "\(command): \(done.errorText)")
    return done.text
  }
}

/// The programs as they ship are looked at where `make test` built them, or where they are there anyhow.
enum Release {
  static let isWanted =
    ProcessEnvironment.current["CONFAB_RELEASE"] == "required"
    || TestFiles.exists(Products.releaseFolder + "/confabd") && TestFiles.exists(Products.releaseFolder + "/confab")
}
