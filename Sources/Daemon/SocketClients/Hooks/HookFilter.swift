import ConfabAccounts
import ConfabConfiguration
import Clocks
import LineProtocol
import Records
import State
import Timelines
import XMPPCore

/// Decides which events start a hook.
struct HookFilter {
  private let events: Set<HookEvent>
  /// The bare JIDs of the conversations that count; empty for all.
  private let jids: Set<String>
  /// The kinds of events other than messages.
  private let others: Set<EventKind>
  private let context: RequestContext
  private let isNotice: (Entry, Conversation) -> Bool

  init(_ settings: HookSettings, _ context: RequestContext, isNotice: @escaping (Entry, Conversation) -> Bool) {
    (self.context, self.isNotice) = (context, isNotice)
    events = Set(settings.events)
    jids = Set(settings.conversations.compactMap { try? JID(typed: $0).bare.description })
    others = Set(events.compactMap { EventKind(rawValue: $0.rawValue) }).subtracting([.message])
  }

  /// True if the hook wants `online` or `offline`.
  func wants(_ event: HookEvent) -> Bool { events.contains(event) }

  /// True if a durable record starts the hook. My own messages, fetched or imported history, and messages of ignored
  /// people do not.
  func wants(_ record: Record, sequence: UInt64) -> Bool {
    switch record {
    case .message(let message): wants(message, id: sequence)
    case .change(let message): wants(changeOf: message)
    case .delivery(let delivery) where delivery.isHistory || !events.contains(.state): false
    default: others.isEmpty ? false : wantsEvent(of: record, sequence)
    }
  }

  private func wants(_ message: MessageRecord, id: UInt64) -> Bool {
    guard !message.isHistory, covers(message.jid), !events.isDisjoint(with: [.message, .mention, .notice]),
      let (entry, conversation) = place(of: message, id: id), entry.flags.isNews
    else { return false }
    return events.contains(.message) || events.contains(.mention) && entry.flags.contains(.mention)
      || events.contains(.notice) && isNotice(entry, conversation)
  }

  private func wants(changeOf message: MessageRecord) -> Bool {
    guard let change = message.details?.change, !change.isMine, others.contains(EventKind(change.kind)),
      covers(message.jid), let target = message.target, let (entry, _) = place(of: message, id: target)
    else { return false }
    return entry.flags.isDisjoint(with: [.history, .ignored])
  }

  private func wantsEvent(of record: Record, _ sequence: UInt64) -> Bool {
    guard let line = DurableEvents(context: context).read(record, sequence: sequence).line else { return false }
    return others.contains(line.kind) && (line.jid.map(covers) ?? true)
  }

  private func place(of message: MessageRecord, id: UInt64) -> (Entry, Conversation)? {
    guard let conversation = context.state.existingConversation(message.account, message.jid),
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    else { return nil }
    return (conversation.timeline[row], conversation)
  }

  /// True if the conversation counts; a private one with an occupant counts as its room.
  private func covers(_ jid: String) -> Bool {
    jids.isEmpty || jids.contains(jid) || jids.contains(String(jid.prefix { $0 != "/" }))
  }
}
