import ConfabAccounts
import Clocks
import LineProtocol
import Records
import State

/// `notify`, `pin` and `archive`: what the user sets of a conversation, shared by all front ends.
extension Command {
  static let settings: [Verb: Handler] = [
    .notify: { try $0.notify() },
    .pin: { command in try command.set { $0.isPinned = command.isYes } },
    .archive: { command in try command.set { $0.isArchived = command.isYes } },
  ]

  private var isYes: Bool { request.string(.value) == "yes" }

  private func notify() throws(RequestFailure) {
    let until = request.time(.until)
    if let until, until <= context.effects.now.wall {
      throw RequestFailure(.badArgument, "until must be in the future, not \(until.rfc3339)", argument: "until")
    }
    guard let level = NotifyLevel.allCases.first(where: { $0.word == request.string(.level) }) else { return }
    try set { $0.setNotify(level, until: until?.milliseconds) }
    // A level for a time is of this device alone.
    if until == nil { try account().parts.messaging.rooms[bareJID()]?.notifyIsSet(to: level) }
  }

  private func set(_ change: (inout SettingsRecord) -> Void) throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let jid = try bareJID()
    guard
      account.state.conversations[jid] != nil || account.state.contacts[jid] != nil
        || account.state.rooms[jid] != nil
    else {
      throw RequestFailure(.notFound, "no conversation or contact with \(jid)", argument: "jid")
    }
    answer(whenDurable: account.settingsChanges.change(jid, by: change))
  }
}
