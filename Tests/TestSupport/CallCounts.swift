/// Counts a program's allocations and system calls while it runs, by Tests/Support/count_calls.c.
package final class CallCounts: Sendable {
  /// In the order of the C struct.
  package struct Counts: Equatable, Sendable {
    package var allocations: UInt64
    package var systemCalls: UInt64
    package var syncs: UInt64

    /// What a piece of work made.
    package static func - (later: Counts, earlier: Counts) -> Counts {
      Counts(
        allocations: later.allocations - earlier.allocations, systemCalls: later.systemCalls - earlier.systemCalls,
        syncs: later.syncs - earlier.syncs)
    }
  }

  private let library: String
  private let file: String

  /// Compiles the counter into a folder.
  package init(in folder: TemporaryFolder) throws {
    library = folder.file("count_calls.so")
    file = folder.file("counts")
    try TestFiles.write(file, [UInt8](repeating: 0, count: 64))
    let source = Products.support("count_calls.c")
    let done = try Program.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source])
    guard done.status == .exited(0) else { throw TestFailure("cc \(source): \(done.errorText)") }
  }

  /// The environment for the program to be counted.
  package var environment: [String: String] {
    ProcessEnvironment.current.merging(["LD_PRELOAD": library, "CONFAB_COUNTS": file]) { _, ours in ours }
  }

  /// The counts as of now.
  package func read() throws -> Counts {
    guard let bytes = TestFiles.read(file), bytes.count >= 24 else { throw TestFailure("no counts in \(file)") }
    let numbers = stride(from: 0, to: 24, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return Counts(allocations: numbers[0], systemCalls: numbers[1], syncs: numbers[2])
  }
}
