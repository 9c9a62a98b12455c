import Reactor

/// Datagrams of rtnetlink(7), each behind its length: what is told twice is a change at most once, but for what goes.
@Sendable func fuzzNetwork(_ bytes: [UInt8]) {
  var script = Script(bytes)
  var picture = NetworkState()
  while !script.isOver {
    let datagram = script.piece()
    _ = picture.takes(datagram)
    hold(picture.size <= NetworkState.most + datagram.count, "what is kept is bounded")
  }
}
