import TestSupport
import Testing

/// The arguments of the programs where Swift's `CommandLine` has none.
@Suite("Arguments reach the programs")
struct ArgumentTests {
  private static let canMount = DiskTests.canMount

  /// A command line of each program that takes arguments, with words of its answer.
  private static let commands = [
    (["confab", "send", "bob@example.test", "ALARM"], "daemon"), (["confabd", "--version"], "confabd "),
    (["confabd", "--config", "/nowhere/x"], "/nowhere/x"), (["confab-ui", "--keys"], "Ctrl"),
    (["confab-simulate", "--seed", "7"], "seed 7"),
  ]

  private func check(_ command: [String], _ words: String, in wrapper: [String], _ environment: [String: String]) throws
  {
    let folder = try TemporaryFolder("arguments")
    var environment = environment
    environment["CONFAB_SOCKET"] = folder.file("socket")
    let program = try #require(command.first)
    let done = try Program.run(
      wrapper + [Products.program(program)] + command.dropFirst(), environment: environment, until: .seconds(120))
    let text = done.text + done.errorText
    #expect(text.contains(words), "\(program): \(text.prefix(300))")
    if command.contains("send") { #expect(done.status != .exited(0)) }
  }

  @Test("if a library has changed the environment before main()", arguments: commands)
  func movedEnvironment(command: [String], words: String) throws {
    let folder = try TemporaryFolder("arguments")
    let library = folder.file("moved.so")
    try #require(
      try runCommand("cc", "-shared", "-fPIC", "-o", library, Products.support("moved_environment.c")) == 0)
    try check(command, words, in: ["env", "LD_PRELOAD=\(library)"], ProcessEnvironment.current)
  }

  @Test(
    "without /proc", .enabled(if: canMount, "file systems may not be mounted here"), arguments: commands)
  func withoutProc(command: [String], words: String) throws {
    let wrapper = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /proc && exec \"$@\"", "sh"]
    try check(command, words, in: wrapper, ProcessEnvironment.current)
  }
}
