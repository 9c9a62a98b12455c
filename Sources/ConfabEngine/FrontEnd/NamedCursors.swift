import Facts
import JSON
import LineProtocol
import Records

/// `watch as=`, `ack`, `cursors` and `forget`: places in the log that have names, so that a consumer of events goes on
/// behind what it acknowledged, whatever ended meanwhile.
struct NamedCursors {
  /// What was durable when the daemon started: a consumer may have been told of it by one that ran before.
  var opened: UInt64 = 0
  /// How far those who watched by a name, and do not any more, had been told.
  private var told: [String: UInt64] = [:]

  /// A watch by this name ended when everything up to this number had been told.
  mutating func ended(_ name: String, told number: UInt64) { told[name] = max(told[name] ?? 0, number) }

  mutating func forget(_ name: String) { told[name] = nil }

  /// How far one may acknowledge; nil: nobody has watched by this name since the start.
  func told(_ name: String) -> UInt64? { told[name] }
}

// MARK: - Watching by a name

extension FrontEnd {
  /// Where a watch begins, and the record that has to be durable first; its answer is in its place.
  ///
  /// - Parameter since: where one without a name begins, and one with a new name.
  func begin(
    _ request: Request, since: UInt64, _ client: Client, _ desk: Desk
  ) throws(RequestFailure) -> (start: UInt64, record: UInt64?) {
    guard let name = request.string(.as) else { return (answer(request, watchingSince: since, client), nil) }
    guard watcher(named: name) == nil else {
      throw RequestFailure(.busy, "somebody else watches as \(name)", argument: "as")
    }
    if let pending = underWay.cursor(name), let position = pending.position {
      client.slots.append(.stored(sequence: pending.sequence, request, then: .watch(since: position)))
      return (position, pending.sequence)
    }
    if underWay.cursor(name) == nil, let known = desk.facts.cursors[name] {
      return (answer(request, watchingSince: known, client), nil)
    }
    guard desk.facts.cursors.count + underWay.cursorCount < Limits.cursors else {
      throw RequestFailure(.limit, "there are \(Limits.cursors) names already: forget some", argument: "as")
    }
    try desk.checkStorage()
    // Durable from the beginning: who dies before its first `ack` comes back to the same place.
    let record = Record.cursor(CursorRecord(name: name, position: since))
    return (since, store(record, request, then: .watch(since: since), client, desk))
  }

  private func answer(_ request: Request, watchingSince start: UInt64, _ client: Client) -> UInt64 {
    client.answer(Lines.watching(since: start, request))
    return start
  }

  private func watcher(named name: String) -> Client? { watchers.first { $0.watch?.name == name } }

  /// The records that began these watches were not stored: there are no such names.
  func endUnstoredWatches(durable: UInt64) {
    for client in watchers where client.watch?.record ?? 0 > durable { endWatch(of: client) }
  }
}

// MARK: - The places

extension FrontEnd {
  func acknowledge(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let name = request.string(.as) ?? ""
    let sequence = UInt64(request.integer(.seq) ?? 0)
    let position = try position(of: name, desk)
    let told = deliveredTo(name)
    guard sequence <= told else {
      throw RequestFailure(.badArgument, "nothing beyond \(told) was delivered to \(name)", argument: "seq")
    }
    guard sequence <= position else {
      _ = store(.cursor(CursorRecord(name: name, position: sequence)), request, then: .plain, client, desk)
      return
    }
    guard let pending = underWay.cursor(name) else { return client.answer(Lines.ok(request)) }
    client.lastAppended = max(client.lastAppended, pending.sequence)
    client.slots.append(.stored(sequence: pending.sequence, request, then: .plain))
  }

  func forgetCursor(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let name = request.string(.as) ?? ""
    _ = try position(of: name, desk)
    watcher(named: name)?.watch?.name = nil
    cursors.forget(name)
    _ = store(.cursor(CursorRecord(name: name)), request, then: .plain, client, desk)
  }

  func cursorList(_ request: Request, _ desk: Desk) -> [UInt8] {
    desk.facts.cursors.sorted { $0.key < $1.key }.flatMap { name, position in
      Lines.data("cursor", request) {
        $0.member("name", name)
        $0.member("seq", position)
      }
    } + Lines.ok(request)
  }

  /// Where the name is, or will be once what is on its way to the disk is there.
  private func position(of name: String, _ desk: Desk) throws(RequestFailure) -> UInt64 {
    let pending = underWay.cursor(name)
    guard let position = pending.map(\.position) ?? desk.facts.cursors[name] else {
      throw RequestFailure(.notFound, "there is no cursor \(name)", argument: "as")
    }
    return position
  }

  private func deliveredTo(_ name: String) -> UInt64 {
    let watched = [watcher(named: name)?.watch?.told, cursors.told(name)].compactMap(\.self).max()
    return watched ?? cursors.opened
  }
}
