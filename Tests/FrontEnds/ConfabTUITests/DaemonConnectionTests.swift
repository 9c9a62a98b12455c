import Clocks
import ConfabClient
import Reactor
import Syscalls
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The connection to the daemon")
struct DaemonConnectionTests {
  /// A daemon that says what it is told to, and a connection to it.
  private final class Scene {
    let folder: TemporaryFolder
    let loop: EventLoop
    let listener: OwnedFD
    var connection: DaemonConnection?
    /// The socket that is chosen.
    var path: String
    var events: [String] = []
    /// The descriptors that were taken, by the number of the event.
    var taken: [Int: PassedDescriptor] = [:]

    init() throws {
      folder = try TemporaryFolder("ui")
      loop = try EventLoop()
      listener = try Sockets.unixStream()
      path = folder.file("socket")
      let choose = { [unowned self] in SocketPath.Choice(path: path, isDefault: false) }
      connection = DaemonConnection(loop: loop, path: choose) { [unowned self] event in
        switch event {
        case .connected: events.append("connected")
        case .lines(let lines):
          for line in lines {
            events.append(String(decoding: line, as: UTF8.self))
            if line == Array("{1}".utf8) { taken[events.count - 1] = connection?.takeDescriptor() }
          }
        case .disconnected(let reason): events.append("disconnected: \(reason)")
        }
      }
    }

    func listen() throws {
      try Sockets.bindUnix(listener.raw, path: folder.file("socket"))
      try Sockets.listen(listener.raw)
    }

    /// The daemon's end of a connection that was made.
    func accept() throws -> OwnedFD {
      guard let peer = try Sockets.accept(listener.raw) else { throw TestFailure("nobody connects: \(events)") }
      return peer
    }

    /// Lets the loop run until something is so.
    func run(until isDone: () throws -> Bool) throws {
      let deadline = Deadline.seconds(60)
      while try !isDone() {
        guard !deadline.hasPassed else { throw TestFailure("\(events)") }
        try loop.turn(block: false)
      }
    }
  }

  @Test("lines come whole, however they are cut; what is sent arrives in order")
  func lines() throws {
    let scene = try Scene()
    try scene.listen()
    scene.connection?.connect()
    let peer = try scene.accept()
    for part in ["{\"a", "\"}\n{\"b\"}\n{", "}\n"] {
      _ = try Sockets.send(peer.raw, Array(part.utf8))
      try scene.loop.turn(block: false)
    }
    try scene.run { scene.events.count == 4 }
    #expect(scene.events == ["connected", "{\"a\"}", "{\"b\"}", "{}"])
    let text = Array(String(repeating: "x", count: 1 << 20).utf8)
    scene.connection?.send(text)
    scene.connection?.send([0x0A])
    var received: [UInt8] = []
    try scene.run {
      received += try Descriptors.read(peer.raw, atMost: 1 << 16) ?? []
      return received.last == 0x0A
    }
    #expect(received == text + [0x0A])
  }

  @Test("a file goes with its line, behind what was sent before, and one comes with a line")
  func files() throws {
    let scene = try Scene()
    try scene.listen()
    scene.connection?.connect()
    let peer = try scene.accept()
    scene.connection?.send(Array("{\"a\"}\n".utf8))
    let file = PassedDescriptor(taking: try Files.inMemory(Array("content".utf8)))
    scene.connection?.send(Array("{\"b\"}\n".utf8), passing: [file])
    scene.connection?.send(Array("{\"c\"}\n".utf8))
    var received: [UInt8] = []
    var files: [PassedDescriptor] = []
    while !received.contains(UInt8(ascii: "b")) {
      received += try Sockets.receive(peer.raw, atMost: 1 << 16, &files) ?? []
    }
    #expect(String(decoding: received, as: UTF8.self) == "{\"a\"}\n{\"b\"}\n", "nothing stands behind the file's line")
    #expect(try files.map { try Files.read($0.raw, at: 0, count: 99) } == [Array("content".utf8)])
    _ = try Sockets.send(peer.raw, Array("{}\n{1}\n".utf8)[...], passing: files)
    try scene.run { scene.events.count == 3 }
    let back = scene.taken[2]
    #expect(try back.map { try Files.read($0.raw, at: 0, count: 99) } == Array("content".utf8))
  }

  @Test("a daemon that is not there, or goes, is connected to again by itself")
  func again() throws {
    let scene = try Scene()
    scene.connection?.connect()
    #expect(scene.events.count == 1 && scene.events[0].hasPrefix("disconnected: \(scene.folder.path)"))
    // Without a connection nothing is kept to be sent later.
    scene.connection?.send([0x41])
    try scene.listen()
    try scene.run { scene.events.contains("connected") }
    try scene.accept().close()
    try scene.run { scene.events.count { $0 == "connected" } == 2 }
    let other = try scene.accept()
    #expect(try Descriptors.read(other.raw, atMost: 10) == nil)
  }

  @Test("it stays with the path at which a daemon answered first, whatever would be chosen later")
  func path() throws {
    let scene = try Scene()
    scene.path = scene.folder.file("none")
    scene.connection?.connect()
    scene.path = scene.folder.file("socket")
    try scene.listen()
    try scene.run { scene.events.contains("connected") }
    scene.path = scene.folder.file("none")
    try scene.accept().close()
    try scene.run { scene.events.count { $0 == "connected" } == 2 }
  }
}
