import Bytes
import Clocks
import ConfabAccounts
import JSON
import TestSupport

/// Front ends and the server.
extension Harness {
  /// Connects a front end, the daemon's own user's at the main socket; its greeting is taken.
  func connect(_ number: UInt64 = 1, _ caller: Caller = Caller(user: 1000)) -> ClientID {
    let id = ClientID(number)
    handle(.client(id, .connected(caller)))
    _ = takeLines(id)
    return id
  }

  /// The same with descriptors, which are open for these contents.
  func send(_ id: ClientID, _ text: String, with contents: [[UInt8]?]) {
    let descriptors = contents.map { content in
      lastDescriptor += 1
      if let content { self.contents[DescriptorID(lastDescriptor)] = content }
      return DescriptorID(lastDescriptor)
    }
    handle(.client(id, .received(Array(text.utf8), descriptors)))
  }

  func send(_ id: ClientID, _ text: String) { handle(.client(id, .received(Array(text.utf8)))) }

  /// The lines that a front end got since it was last asked, parsed.
  func takeLines(_ id: ClientID) -> [JSONValue] {
    defer { lines[id] = [] }
    return (lines[id] ?? []).split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0)) }
  }

  /// The lines that a front end got since it was last asked, as they came.
  func takeText(_ id: ClientID) -> String {
    defer { lines[id] = [] }
    return String(decoding: lines[id] ?? [], as: UTF8.self)
  }

  /// Asks, lets short time pass, and gives all lines that came.
  func ask(_ id: ClientID, _ text: String) -> [JSONValue] {
    send(id, text + "\n")
    pass(.milliseconds(50))
    return takeLines(id)
  }

  /// The server of `home`, or the one at another port, sends this.
  func receive(_ xml: String, port: UInt16 = 5223) {
    guard let link = links[port] else { return }
    handle(.link(link, .received(Array(xml.utf8))))
  }

  /// The server of `home` says stanzas of its own, each a string: those that nobody hears are said when the stream is
  /// resumed.
  func say(_ stanzas: String...) {
    receive(stanzas.map { server.say($0) }.joined())
  }

  /// The connection to the server at a port.
  func link(port: UInt16) -> LinkID? { links[port] }

  /// The server at a port says nothing any more.
  func silence(port: UInt16) { servers[port]?.isMute = true }

  /// The connection of an account is cut.
  func cut(port: UInt16 = 5223) {
    guard let link = links[port] else { return }
    links[port] = nil
    handle(.link(link, .closed("the connection was cut")))
  }

  /// What was held back in the kernel's buffers of a front end, or of the link, is gone.
  func drain(_ id: ClientID) {
    stalled.remove(id)
    handle(.client(id, .drained))
  }

  func drainLink() {
    linksDrain = true
    if let link { handle(.link(link, .drained)) }
  }

  /// The bytes that a front end got since it was last asked.
  func pending(_ id: ClientID) -> Int { lines[id]?.count ?? 0 }
}
