import LineProtocol
import Syscalls

/// Tries a configuration that is in memory only, by `confabd` itself: what it accepts and how it logs in is what the
/// daemon will do.
struct LoginTrial {
  let draft: AccountDraft

  /// A server has several addresses, each with its time, and a login.
  private static let patience: Int64 = 300_000

  /// Says what is wrong with the address, or with the rest of the configuration that it goes into.
  func check(jid: String) throws(SetupFailure) {
    let done: ShellCommand.Finished
    let path: String
    do throws(Errno) {
      let file = try Files.inMemory(Array(draft.configuration(jid: jid).utf8))
      path = Self.path(file.raw)
      let command = DaemonProgram.command(["--check", "--config", path])
      done = try ShellCommand(command, limits: .init(time: 10_000, output: 4096)).run()
    } catch {
      throw SetupFailure("\(DaemonProgram.path) cannot be run: \(error.text)")
    }
    guard done.termination != .exited(0) else { return }
    let words = words(String(decoding: done.errorOutput, as: UTF8.self), path)
    let question: SetupFailure.Question? = words.hasPrefix("jid") ? .address : words.hasPrefix("server") ? .server : nil
    throw SetupFailure(words + "; nothing was written", asking: question)
  }

  /// The error of `confabd --check` about the draft, without file and line, which the user cannot see.
  private func words(_ complaint: String, _ path: String) -> String {
    let lines = complaint.split(separator: "\n")
    var text = lines.last.map(String.init) ?? "confabd --check failed"
    if text.hasPrefix("confabd: ") { text.removeFirst("confabd: ".count) }
    guard let section = text.firstRange(of: "[account \(draft.name)]") else {
      return text.replacing(path, with: draft.file)
    }
    return String(text[section.upperBound...].drop { $0 == ":" || $0 == " " })
  }

  /// Logs in, and tells what it goes through.
  ///
  /// - Returns: where the daemon's socket will be.
  /// - Throws: that the login failed, or what else the daemon lacks.
  func login(
    jid: String, password: [UInt8], _ tell: (Check) -> Void
  ) throws(SetupFailure) -> String {
    var socket = ""
    var wrong: [Check] = []
    do throws(Errno) {
      let secret = try Files.inMemory(password)
      let file = try Files.inMemory(Array(draft.trial(jid: jid, passwordFile: Self.path(secret.raw)).utf8))
      let child = try DaemonProgram.start(["--doctor", "--login", "--config", Self.path(file.raw)])
      while case .line(let bytes) = try child.readLine(milliseconds: Self.patience) {
        guard var check = Check(line: bytes) else { continue }
        if let path = check.socket { socket = path }
        check.rename(Self.path(file.raw), draft.file)
        check.rename(Self.path(secret.raw), draft.passwordFile)
        if check.isOfLogin || check.outcome == .wrong { tell(check) }
        if check.outcome == .wrong { wrong.append(check) }
      }
    } catch {
      throw SetupFailure("\(DaemonProgram.path) cannot be run: \(error.text)")
    }
    guard wrong.isEmpty, !socket.isEmpty else { throw failure(wrong) }
    return socket
  }

  private func failure(_ wrong: [Check]) -> SetupFailure {
    let others = wrong.filter { !$0.isOfLogin }
    guard let other = others.first, others.count == wrong.count else {
      let isLogin = wrong.contains { $0.kind == .login }
      return SetupFailure("the login failed; nothing was written", asking: isLogin ? .password : .server)
    }
    return SetupFailure("\(other.text); nothing was written")
  }

  private static func path(_ descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }
}
