import Transport

/// A proxy's answers: the first byte says whether there are credentials, then each read behind its length. It is done
/// or fails once, and asks for nothing behind that.
@Sendable func fuzzProxy(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let user = script.byte() & 1 == 0 ? nil : Array("alice".utf8)
  guard var handshake = SOCKS5Handshake(to: .name("example.org"), port: 5222, user: user, password: [7]) else {
    return hold(false, "a handshake begins")
  }
  var isOver = false
  while !script.isOver {
    let step = handshake.receive(script.piece())
    hold(!isOver || step == .wait, "nothing follows the end: \(step)")
    switch step {
    case .done, .failed: isOver = true
    case .send, .wait: break
    }
  }
}
