package import ConfabAccounts
package import Clocks
import Timelines
import Records
import State

/// Tracks if a person is there, as far as clients tell: by the conversations that they show, and by their requests.
package struct Attendance {
  var focuses = Focuses()
  private var requests = RecentRequests()
  private var idleness = Idleness()

  /// True if a conversation is shown, or a request came not long ago.
  var isRecent: Bool { requests.isAny || !focuses.isEmpty }

  /// The last interaction of a person, as far as it is known.
  package var interaction: Idleness.Interaction { idleness.interaction }

  /// When to look again.
  var deadline: Instant? { requests.deadline.orEarlier(idleness.deadline) }

  mutating func noteRequest(at now: Instant) { requests.note(at: now) }

  mutating func tick(at now: Instant) { requests.tick(at: now) }

  /// An event was handled: clients may show conversations, or none any more.
  package mutating func update(at now: Moment) { idleness.update(isShown: !focuses.isEmpty, at: now) }

  /// True if the user wants to be notified of a message that has just come: it is unread, and no client shows its
  /// conversation.
  func isNotice(_ entry: Entry, in conversation: Conversation, _ context: RequestContext) -> Bool {
    guard conversation.isUnread(entry), !focuses.contains(conversation),
      context.policy(of: conversation).notifiesOfArchived || !entry.flags.contains(.archived)
    else { return false }
    return switch context.notifyLevel(of: conversation).level {
    case .always: true
    case .mentions: entry.flags.contains(.mention)
    case .never: false
    }
  }
}
