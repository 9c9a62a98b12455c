package import Clocks
import Glibc

/// The clock by which a daemon times its work, moved while it runs by Tests/Support/leaping_clock.c. Timers that are due
/// then fire once something wakes the daemon, such as a request.
package final class LeapingClock: Sendable {
  private let library: String
  private let file: String

  /// Compiles what moves the clock into a folder.
  package init(in folder: TemporaryFolder) throws {
    library = folder.file("leaping_clock.so")
    file = folder.file("leap")
    try TestFiles.write(file, [UInt8](repeating: 0, count: 8))
    let source = Products.support("leaping_clock.c")
    let done = try Program.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source])
    guard done.status == .exited(0) else { throw TestFailure("cc \(source): \(done.errorText)") }
  }

  /// The environment for the daemon.
  package var environment: [String: String] {
    ProcessEnvironment.current.merging(["LD_PRELOAD": library, "CONFAB_LEAP": file]) { _, ours in ours }
  }

  /// Sets how far the clock is ahead, which must be no less than before.
  package func leap(to ahead: Interval) throws {
    let descriptor = unsafe open(file, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("no \(file)") }
    defer { close(descriptor) }
    var bytes = ahead.milliseconds.littleEndian
    guard unsafe pwrite(descriptor, &bytes, 8, 0) == 8 else { throw TestFailure("cannot write \(file)") }
  }
}
