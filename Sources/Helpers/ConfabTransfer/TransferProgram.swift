import Crypto
import HelperProtocol
import Reactor
import Syscalls
import Transport

/// `confab-transfer`: moves one file for the daemon, which gives it a socket and the file as descriptors 0 and 1.
package enum TransferProgram {
  private static let usage: Int32 = 64
  private static let file: CInt = 1

  /// Runs it for this process; the exit status. The socket reports the outcome of the transfer.
  package static func main() -> Int32 {
    SignalFD.ignoreFailedWrites()
    guard (try? Sockets.peerCredentials(StandardStreams.input)) != nil else {
      try? Descriptors.writeAll(StandardStreams.error, Array("confab-transfer is started by confabd\n".utf8))
      return usage
    }
    let socket = EventSocket(StandardStreams.input)
    guard let request = socket.readRequest() else { return usage }
    socket.send(outcome(of: request, socket))
    return 0
  }

  private static func outcome(of request: TransferRequest, _ socket: EventSocket) -> TransferEvent {
    do throws(TransferFailure) {
      return try prepare(request, socket).run()
    } catch {
      return .failed(error)
    }
  }

  /// Opens and reads all that is outside of the sandbox, then goes into it.
  private static func prepare(
    _ request: TransferRequest, _ socket: EventSocket
  ) throws(TransferFailure) -> TransferRun {
    let authorities = try Authorities(for: request)
    guard let client = HTTPClient(owner: socket.fd) else { throw TransferFailure(.program, "libcurl does not start") }
    do {
      let loop = try EventLoop()
      let run = TransferRun(
        request, body: TransferBody(try BodyFile(file, request.hashes), request.key), socket: socket, client: client,
        loop: loop,
        resolver: try LoopResolver(loop: loop, servers: request.nameServers), authorities: authorities)
      try TransferSandbox.enter(for: request.direction)
      return run
    } catch {
      throw TransferFailure(.program, "confab-transfer cannot prepare: \(error)")
    }
  }
}
