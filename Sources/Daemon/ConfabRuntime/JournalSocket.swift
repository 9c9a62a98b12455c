import ConfabAccounts
import ConfabConfiguration
import Syscalls

/// journald's own socket, by which a line has fields (systemd.journal-fields(7); systemd's "Journal Native Protocol").
final class JournalSocket {
  /// The path of journald's socket.
  static let path = "/run/systemd/journal/socket"
  /// Bytes of one field beside the message: more than any address has.
  private static let longest = 4096

  private let socket: OwnedFD
  private let path: String

  /// nil if `descriptor`, standard error, is not a stream of the journal.
  init?(environment: [String: String], descriptor: CInt, path: String) {
    guard let stream = environment["JOURNAL_STREAM"], let status = try? Paths.status(of: descriptor),
      stream == "\(status.device):\(status.inode)", let socket = try? Sockets.unixDatagram()
    else { return nil }
    self.socket = socket
    self.path = path
  }

  /// Sends a line; true if the journal took it.
  func send(_ level: LogLevel, _ line: String, _ fields: JournalFields) -> Bool {
    let entry = Self.entry(level, line, fields)
    if (try? Sockets.send(socket.raw, entry, to: path)) != nil { return true }
    return (try? Sockets.sendAsFile(socket.raw, entry, to: path)) != nil
  }

  /// `NAME=value` and a line feed for each field: what came from outside ends none of them.
  static func entry(_ level: LogLevel, _ line: String, _ fields: JournalFields) -> [UInt8] {
    let values: [(String, String?)] = [
      ("MESSAGE", line), ("PRIORITY", "\(level.rawValue)"), ("SYSLOG_IDENTIFIER", "confabd"),
      ("ACCOUNT", fields.account), ("JID", fields.jid.map(cut)), ("STANZA_ID", fields.stanzaID.map(cut)),
      ("ERRNO", fields.errno.map { "\($0)" }),
    ]
    return values.flatMap { name, value in
      value.map { Array("\(name)=\(PlainLine.of($0))\n".utf8) } ?? []
    }
  }

  private static func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(longest / 4)) }
}
