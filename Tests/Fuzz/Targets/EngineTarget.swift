import Clocks
import ConfabAccounts
import MessageLog
import TestSupport

/// The whole engine, driven by a script: each step is a byte for what happens and those that it takes.
@Sendable func fuzzEngine(_ bytes: [UInt8]) {
  let world = World()
  var script = Script(bytes)
  var steps = 0
  while !script.isOver, !world.hasExited, steps < 200 {
    world.step(&script)
    world.settle()
    steps += 1
  }
  world.finish(thoroughly: bytes.count % 8 == 7)
}

extension World {
  /// One step. What the script does not need is done by itself.
  func step(_ script: inout Script) {
    let kind = script.byte()
    switch kind % 16 {
    case 0: happen(clients.connect())
    case 1, 2: ask(&script)
    case 3, 4: serverSends(&script)
    case 5: pass(Self.intervals[script.byte() % Self.intervals.count])
    case 6: happen(disk.sync(failing: Self.causes[script.byte() % Self.causes.count]))
    case 7: freeHands(script.byte())
    case 8: happen(net.newest.flatMap { net.world($0, failing: script.byte() & 1 == 0 ? nil : "it failed") })
    case 9: happen(net.newest.flatMap { net.answer($0) })
    case 10: happen(net.newest.map { net.close($0, script.byte() & 1 == 0 ? nil : "it was cut") })
    case 11: clientActs(&script)
    case 12:
      configuration = Self.configuration(script.byte())
      handle(.configuration(script.byte() & 7 == 7 ? .refused("it is wrong") : .read(configuration)))
    case 13: restart()
    case 14: now.wall = now.wall.advanced(by: .hours(Int64(script.byte()) - 128))
    default: rare(&script)
    }
  }

  private func happen(_ event: Event?) {
    if let event { handle(event) }
  }

  private func freeHands(_ flags: Int) {
    disk.isQuick = flags & 1 == 0
    net.isQuick = flags & 2 == 0
    net.answers = flags & 4 == 0
    clients.areQuick = flags & 8 == 0
  }

  private func ask(_ script: inout Script) {
    guard let client = clients.at(script.byte()) else { return happen(clients.connect()) }
    let template = Templates.requests[script.byte() % Templates.requests.count]
    handle(clients.ask(client, template))
  }

  private func clientActs(_ script: inout Script) {
    let kind = script.byte()
    guard let client = clients.at(kind >> 2) else { return }
    switch kind & 3 {
    case 0: happen(clients.drain(client))
    case 1: handle(clients.send(client, script.piece()))
    case 2: handle(clients.end(client))
    default: handle(clients.close(client))
    }
  }

  private func serverSends(_ script: inout Script) {
    guard let peer = net.newest else { return }
    let choice = script.byte()
    if choice == 255 { return happen(net.send(script.piece(), peer, ids: nil)) }
    let stanza = Templates.stanza(choice, number: script.byte(), handled: peer.server.handled)
    happen(net.send(Array(stanza.text.utf8), peer, ids: stanza.ids))
  }

  private func rare(_ script: inout Script) {
    switch script.byte() % 8 {
    case 0: handle(.stop(.terminate))
    case 1: storage.failNext(["write", "sync", "create", "syncDirectory"][script.byte() % 4])
    case 2: happen(net.newest.flatMap { net.drain($0) })
    case 3: handle(.tick)
    case 4: handle(.networkChanged)
    case 5: handle(.woke)
    case 6: handle(.clockSet)
    default: if let client = clients.at(0) { handle(clients.failWrites(client)) }
    }
  }

  private static let intervals: [Interval] = [
    .milliseconds(1), .milliseconds(6), .seconds(1), .seconds(6), .seconds(40), .minutes(6), .hours(2), .days(40),
  ]

  private static let causes: [StorageError.Cause?] = [nil, .noSpace, .readOnly, .failed, nil, nil]

  /// Everything works again, and time enough passes for all that was asked.
  func finish(thoroughly: Bool) {
    freeHands(0)
    settle()
    for interval in [Interval.seconds(20), .minutes(2), .hours(1)] where !hasExited { pass(interval) }
    if !hasExited { clients.checkAllAnswered() }
    restart()
    settle()
    if thoroughly { tryEverything() }
  }

  /// A front end asks everything there is to ask.
  func tryEverything() {
    settle()
    for template in Templates.requests where !template.hasPrefix("quit") {
      if clients.all.isEmpty { happen(clients.connect()) }
      if let client = clients.at(0), client.isKnown { handle(clients.ask(client, template)) }
      settle()
    }
    for interval in [Interval.seconds(40), .minutes(5)] { pass(interval) }
    clients.checkAllAnswered()
  }
}
