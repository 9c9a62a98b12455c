import TestSupport
import Testing

/// What the binaries hold. `ldd` says nothing about a static one, so the symbols are looked at.
@Suite("Products")
struct ProductTests {
  private static let programs = ["confabd", "confab", "confab-ui", "confab-transfer", "confab-picture"]

  /// Symbols of Foundation and Dispatch, mangled as Swift does it, or plain C.
  private static let banned = ["10Foundation", "20FoundationEssentials", "8Dispatch", "dispatch_main"]

  @Test("there is no Foundation in what the tests were built with", arguments: programs)
  func debug(program: String) throws {
    let path = Products.program(program)
    try expectNoFoundation(in: path)
    let needed = try output(["readelf", "-d", path]).split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(!needed.isEmpty)
    #expect(!needed.contains { $0.contains("Foundation") })
  }

  @Test(
    "nor in what ships, which brings its Swift along", .enabled(if: Release.isWanted),
    arguments: programs)
  func release(program: String) throws {
    let path = Products.releaseFolder + "/" + program
    try #require(TestFiles.exists(path), "not built: `make release`")
    try expectNoFoundation(in: path)
    let needed = try output(["readelf", "-d", path]).split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(!needed.contains { $0.contains("libswift") })
  }

  /// What a shell waits for with each `confab send`: a library of the server's side is a millisecond of it.
  @Test("the command line needs no library of the daemon's")
  func libraries() throws {
    // Swift's own are not there in what ships, nor is C++'s.
    let needed = try libraries(of: Products.program("confab")).filter { !$0.contains("/usr/lib/swift/") }
    expect(needed, toBeOf: Self.ownLibraries + ["libstdc++.so", "libgcc_s.so"])
  }

  @Test(
    "and as it ships, it brings C++'s along too",
    .enabled(if: ProcessEnvironment.current["CONFAB_RELEASE"] == "required"))
  func releaseLibraries() throws {
    let path = Products.releaseFolder + "/confab"
    expect(try libraries(of: path), toBeOf: Self.ownLibraries)
    for program in Self.programs {
      #expect(try !output(["readelf", "-d", Products.releaseFolder + "/" + program]).contains("RUNPATH"))
    }
  }

  private static let ownLibraries = ["linux-vdso", "ld-linux", "libc.so", "libm.so", "libinih.so"]

  /// With those that they need themselves; one a line, with its path.
  private func libraries(of program: String) throws -> [Substring] {
    try output(["ldd", program]).split(separator: "\n")
  }

  private func expect(_ needed: [Substring], toBeOf known: [String]) {
    #expect(needed.contains { $0.contains("libc.so") })
    let foreign = needed.filter { line in !known.contains { line.contains($0) } }
    #expect(foreign.isEmpty)
  }

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
