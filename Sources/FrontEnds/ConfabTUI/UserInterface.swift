import Screen
import Syscalls
import TerminalUI

/// `confab-ui`: the terminal UI over the real terminal and socket.
package enum UserInterface {
  /// Exit statuses, those of the command line: it is wrong; standard input cannot be read; there is no terminal; standard output
  /// cannot be written.
  private static let usage: Int32 = 64
  private static let inputFailed: Int32 = 65
  private static let failed: Int32 = 71
  private static let outputFailed: Int32 = 74

  /// Runs it for this process; the exit status.
  package static func main() -> Int32 {
    StandardStreams.openMissing()
    SignalFD.ignoreFailedWrites()
    do throws(InterfaceOptions.Failure) {
      return run(try InterfaceOptions(ProcessArguments.all()))
    } catch {
      complain(error.reason)
      return usage
    }
  }

  private static func run(_ options: InterfaceOptions) -> Int32 {
    if options.listsKeys { return listKeys(options) }
    if options.checksSettings { return write(InterfaceFiles(options).settings().errors) }
    if options.isPlain { return plain(options) }
    do throws(Terminfo.Failure) {
      let terminfo = try Terminfo(name: ProcessEnvironment.variable("TERM") ?? "")
      return run(options, terminfo)
    } catch {
      complain("\(error.reason); try TERM=xterm-256color confab, or confab --plain")
      return overview(options)
    }
  }

  private static func run(_ options: InterfaceOptions, _ terminfo: Terminfo) -> Int32 {
    do throws(Errno) {
      return try InterfaceLoop(InterfaceFiles(options), terminfo).run()
    } catch {
      TerminalRescue.run()
      complain(error.description)
      return failed
    }
  }

  private static func listKeys(_ options: InterfaceOptions) -> Int32 {
    write(KeyList.lines(InterfaceFiles(options).settings().settings.keyMap))
  }

  private static func write(_ lines: [String]) -> Int32 {
    let text = lines.map { $0 + "\n" }.joined()
    do throws(Errno) {
      try Descriptors.writeAll(StandardStreams.output, Array(text.utf8))
      return 0
    } catch {
      return end(withOutputFailure: error)
    }
  }

  /// The exit status; a reader that has gone is no failure.
  private static func end(withOutputFailure failure: Errno?) -> Int32 {
    guard let failure, !failure.isDisconnected else { return 0 }
    complain("standard output: \(failure.text)")
    return outputFailed
  }

  private static func plain(_ options: InterfaceOptions) -> Int32 {
    do throws(Errno) {
      let loop = try PlainLoop(InterfaceFiles(options))
      try loop.run()
      guard let failure = loop.inputFailure else { return end(withOutputFailure: loop.outputFailure) }
      complain("standard input cannot be read: \(failure.text)")
      return inputFailed
    } catch {
      complain(error.description)
      return failed
    }
  }

  /// Replaces the program by the command line's overview, for terminals on which nothing can be drawn.
  private static func overview(_ options: InterfaceOptions) -> Int32 {
    if let path = Paths.beside(["confab", "../../bin/confab"]) {
      _ = ProgramImage.replace(with: path, arguments: options.arguments + ["--no-ui"])
    }
    return failed
  }

  private static func complain(_ reason: String) {
    try? Descriptors.writeAll(StandardStreams.error, Array("confab: \(reason)\n".utf8))
  }
}
