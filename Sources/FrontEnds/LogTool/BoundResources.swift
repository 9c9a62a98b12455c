import MessageLog
import Records

/// By which resource each account sends, as the server shows it to others and in its archive: the one that was bound last.
struct BoundResources {
  private var resources: [UInt32: String] = [:]

  mutating func note(_ frame: borrowing LogFrame) {
    guard frame.kind == RecordKind.stream.rawValue, case .stream(let stream)? = try? frame.record(),
      let jid = stream.beginning?.jid, let slash = jid.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return }
    resources[stream.account] = String(jid[jid.utf8.index(after: slash)...])
  }

  func resource(of message: MessageRecord) -> String? {
    message.isFromHere ? resources[message.account] : nil
  }
}
