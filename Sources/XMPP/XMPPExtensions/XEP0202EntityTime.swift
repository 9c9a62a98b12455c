import Clocks
import XML
import XMPPCore

/// XEP-0202: what time it is here.
enum EntityTime {
  static let requests = [
    Registry.Request(local: "time", namespace: Namespace.time) { _, context, writer throws(StanzaError) in
      writer.open("time", xmlns: Namespace.time)
      writer.element("tzo", text: zone(context.utcOffsetSeconds))
      writer.element("utc", text: context.now.rfc3339)
      writer.close()
    }
  ]

  /// XEP-0082, section 3.3: `+01:00`, or `Z`. Offsets are whole minutes, of less than a day.
  static func zone(_ seconds: Int) -> String {
    let minutes = max(-1439, min(1439, seconds / 60))
    guard minutes != 0 else { return "Z" }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(minutes < 0 ? "-" : "+")\(digits(abs(minutes) / 60)):\(digits(abs(minutes) % 60))"
  }
}
