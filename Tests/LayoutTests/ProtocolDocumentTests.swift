import Glibc
import LineProtocol
import Testing

/// The reference is made from the tables; `CONFAB_WRITE_DOCS=1` (`make docs`) writes it instead of comparing.
@Suite("docs/PROTOCOL.md")
struct ProtocolDocumentTests {
  private static let path = "docs/PROTOCOL.md"

  @Test("is what the tables make")
  func isFresh() throws {
    let made = Reference.markdown()
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try RepositoryFile.write(made, to: Self.path) }
    #expect(try RepositoryFile.read(Self.path) == made, "stale: run 'make docs'")
  }

  @Test("names every verb, option, code and event")
  func isWhole() {
    let text = Reference.markdown()
    for verb in Verb.allCases { #expect(text.contains("\n### \(verb.rawValue)\n")) }
    for option in VerbTable.rows.flatMap(\.options) { #expect(text.contains("| `\(option.name.rawValue)` |")) }
    for code in ErrorCode.allCases { #expect(text.contains("| `\(code.rawValue)` |")) }
    for event in EventKind.allCases { #expect(text.contains("| `\(event.rawValue)` |")) }
  }
}

/// Files of the repository that these tests stand in, by their paths from its top.
private enum RepositoryFile {
  private static let top = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
    separator: "/")

  struct Failure: Error {
    let path: String
    let errno: CInt
  }

  static func read(_ path: String) throws -> String {
    let file = try open(path, O_RDONLY)
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  static func write(_ text: String, to path: String) throws {
    let file = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(path: path, errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func open(_ path: String, _ flags: CInt) throws -> CInt {
    let file = unsafe Glibc.open(top + "/" + path, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure(path: path, errno: errno) }
    return file
  }
}
