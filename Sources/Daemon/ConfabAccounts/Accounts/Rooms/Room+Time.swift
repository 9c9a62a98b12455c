import Clocks

// Actions of a room by itself, and when they are due.
extension Room {
  var deadline: Instant? {
    machine.deadline.orEarlier(requests.deadline).orEarlier(occupantNews.deadline)
      .orEarlier(machine.isJoined ? outbox.deadline.orEarlier(history.sync.deadline) : nil)
  }

  func tick() {
    requests.tick()
    tellSum()
    handle(.tick)
    if machine.isJoined {
      history.tick()
      if outbox.isToAsk() { pingBehindMessages() }
      outbox.release()
    }
    changed()
  }
}
