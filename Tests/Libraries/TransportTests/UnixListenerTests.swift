import Glibc
import Reactor
import Syscalls
import Testing
import TestSupport
import Transport

@Suite("The Unix socket's place")
struct UnixListenerTests {
  private let folder: TemporaryFolder
  private let loop: EventLoop

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
  }

  private func listen(_ path: String) throws(UnixListenerError) -> UnixListener {
    try UnixListener(loop: loop, path: path) { _ in }
  }

  @Test("The directory is made 0700, the socket 0600, and the file goes with the listener")
  func modes() throws {
    let path = folder.file("run/socket")
    let listener = try listen(path)
    #expect(try Paths.status(folder.file("run"))?.mode == 0o700)
    #expect(try Paths.linkStatus(path)?.mode == 0o600)
    #expect(listener.path == path)
    listener.close()
    #expect(try Paths.linkStatus(path) == nil)
  }

  @Test(
    "What it makes has the modes and groups that it is given, whatever the umask",
    arguments: [
      SocketModes(socket: 0o666, directory: 0o755),
      SocketModes(socket: 0o660, directory: 0o750, socketGroup: getegid(), directoryGroup: getegid()),
    ])
  func givenModes(modes: SocketModes) throws {
    let path = folder.file("run/socket")
    let listener = try UnixListener(loop: loop, path: path, modes: modes) { _ in }
    #expect(try Paths.status(folder.file("run"))?.mode == modes.directory)
    #expect(try Paths.linkStatus(path)?.mode == modes.socket)
    try listener.update(SocketModes())
    #expect(try Paths.status(folder.file("run"))?.mode == 0o700)
    #expect(try Paths.linkStatus(path)?.mode == 0o600)
    // What is not ours any more is left alone.
    try Paths.remove(path)
    try folder.write("run/socket", "somebody else's", mode: 0o640)
    try listener.update(modes)
    #expect(try Paths.linkStatus(path)?.mode == 0o640)
  }

  @Test(
    "An existing directory is left alone, or refused where others can write to it",
    arguments: [(0o755, true), (0o700, true), (0o1777, false), (0o777, false), (0o702, false)])
  func directory(mode: UInt32, isFine: Bool) throws {
    try Paths.makeDirectory(folder.file("run"), mode: mode)
    let path = folder.file("run/socket")
    if isFine {
      _ = try listen(path)
    } else {
      #expect(throws: UnixListenerError.directoryWritableByOthers(directory: folder.file("run"))) { try listen(path) }
    }
    #expect(try Paths.status(folder.file("run"))?.mode == mode)
  }

  @Test("A dead socket is replaced, one that answers is in use")
  func stale() throws {
    let path = folder.file("socket")
    let dead = try Sockets.unixStream()
    try Sockets.bindUnix(dead.raw, path: path)
    try dead.close()
    let listener = try listen(path)
    #expect(throws: UnixListenerError.inUse(path: path)) { try listen(path) }
    withExtendedLifetime(listener) {}
  }

  @Test("What is no socket is not touched, a long path and a missing parent are errors in words")
  func refusals() throws {
    let file = try folder.write("socket", "precious")
    #expect(throws: UnixListenerError.notASocket(path: file)) { try listen(file) }
    #expect(throws: UnixListenerError.notADirectory(directory: file)) { try listen(file + "/socket") }
    let long = folder.file(String(repeating: "x", count: 120))
    #expect(throws: UnixListenerError.pathTooLong(path: long, limit: 107)) { try listen(long) }
    let orphan = folder.file("a/b/socket")
    let error = #expect(throws: UnixListenerError.self) { try listen(orphan) }
    #expect(error?.description == "mkdir \(folder.file("a/b")): No such file or directory")
  }

  @Test("It is known whether the socket is still in its place")
  func inPlace() throws {
    let path = folder.file("socket")
    let listener = try listen(path)
    #expect(listener.isInPlace)
    try Paths.remove(path)
    #expect(!listener.isInPlace)
    let other = try listen(path)
    #expect(other.isInPlace && !listener.isInPlace)
    listener.close()
    #expect(other.isInPlace)
  }

  @Test("A file that took the place of ours is not removed")
  func replaced() throws {
    let path = folder.file("socket")
    let listener = try listen(path)
    try Paths.remove(path)
    try folder.write("socket", "somebody else's")
    listener.close()
    #expect(try Paths.linkStatus(path)?.kind == .file)
  }

  @Test("Connections carry who made them")
  func accepts() throws {
    var connections: [UnixConnection] = []
    let path = folder.file("socket")
    let listener = try UnixListener(loop: loop, path: path) { connections.append($0) }
    let one = try Sockets.connectUnix(path: path)
    let two = try Sockets.connectUnix(path: path)
    try loop.run("both accepted", until: { connections.count == 2 })
    #expect(connections.map(\.peer.pid) == [getpid(), getpid()])
    #expect(connections[0].peer.uid == getuid())
    listener.close()
    connections[0].write([42])
    try loop.run("sent", until: { connections[0].pendingBytes == 0 })
    #expect(try readAll(one.raw) == [42])
    #expect(try readAll(two.raw) == [])
  }

  @Test("A passed socket is served and its file left alone")
  func adopted() throws {
    let path = folder.file("socket")
    let passed = try Sockets.unixStream()
    try Sockets.bindUnix(passed.raw, path: path)
    try Sockets.listen(passed.raw)
    #expect(Sockets.isUnixListener(passed.raw))
    var accepted: UnixConnection?
    let listener = try UnixListener(loop: loop, adopting: passed) { accepted = $0 }
    let client = try Sockets.connectUnix(path: path)
    try loop.run("accepted", until: { accepted != nil })
    listener.close()
    #expect(try Paths.linkStatus(path)?.kind == .socket)
    withExtendedLifetime(client.raw) {}
  }

  @Test(
    "LISTEN_FDS counts only for the process it names; what does not count is told in words",
    arguments: [
      (["LISTEN_PID": "7", "LISTEN_FDS": "2"], [3, 4], nil), ([:], [], nil), (["LISTEN_PID": "7"], [], nil),
      (["LISTEN_PID": "8", "LISTEN_FDS": "2"], [], "LISTEN_PID is '8' and not this process, 7"),
      (["LISTEN_FDS": "2"], [], "LISTEN_PID is '' and not this process, 7"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "0"], [], "LISTEN_FDS is '0' and no number from 1 to 64"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], [], "LISTEN_FDS is '-1' and no number from 1 to 64"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "99999999999999999999"], [], "LISTEN_FDS is '99999999999999999999'"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "4294967295"], [], "LISTEN_FDS is '4294967295'"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "two"], [], "LISTEN_FDS is 'two'"),
      (["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"], [3, 4], "1 names for 2 descriptors"),
    ] as [([String: String], [CInt], String?)])
  func activation(variables: [String: String], expected: [CInt], problem: String?) {
    let (passed, problems) = SocketActivation.passed(variables, processID: 7)
    #expect(passed.map(\.descriptor) == expected && passed.allSatisfy(\.name.isEmpty))
    #expect(problems.count == (problem == nil ? 0 : 1) && problems.allSatisfy { $0.contains(problem ?? "") })
  }
}
