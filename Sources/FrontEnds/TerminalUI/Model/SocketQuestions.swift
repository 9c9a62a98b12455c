package import ConfabClient
import LineProtocol

/// The UI's open requests to the daemon, by tag.
package struct SocketQuestions {
  /// The purpose of a request, which decides how its answer is used.
  package enum Purpose: Equatable, Sendable {
    case watch
    case accounts
    /// A page of the list, with people whom I know or with strangers; the first one replaces them.
    case conversations(known: Bool, isFirst: Bool)
    /// The newest of people whom I know, as one of them may write who is not in the list yet.
    case newestConversations
    case contacts
    case rooms
    /// The occupants of a room.
    case occupants(ConversationKey)
    /// The occupants of a large room whose nicks have a text in them.
    case foundOccupants(ConversationKey, String)
    /// The ignored occupants of a room.
    case ignored(ConversationKey)
    /// Joins a room, with the words for it if it fails.
    case join(ConversationKey, String)
    /// Makes a room, which then gets its name.
    case making(ConversationKey, name: String, membersOnly: Bool)
    /// The configuration of a room, the rooms of a service, and one of them.
    case form(ConversationKey)
    case service(ConversationKey)
    case look(ConversationKey)
    /// Asks whether messages of a conversation are encrypted.
    case encryption(ConversationKey)
    /// Somebody's devices; `isFresh` is true if the server is asked first, and a person waits.
    case devices(ConversationKey, isFresh: Bool)
    /// Rows of a conversation: `number` is the window's, so that an answer to an older question is dropped.
    case rows(ConversationKey, PageRequest, number: Int)
    /// Asks for one message again: it may have changed or be gone.
    case message(ConversationKey, UInt64)
    case sections(ConversationKey)
    /// The last message before a time, or none: then the window opens there.
    case beforeTime(ConversationKey)
    case search(number: Int)
    case emoticons(EmoticonList)
    case send(OutgoingText.ID)
    case fetch(WantedFile, ConversationKey)
    /// A picture of mine, which is drawn if the daemon has it; nobody waits for it.
    case ownPicture(WantedFile, ConversationKey)
    /// An avatar; `isWanted` is true if a person waits for it and is told of a failure.
    case avatar(ConversationKey, isWanted: Bool)
    case unread(ConversationKey)
    /// The newest message, for the list.
    case newest(ConversationKey)
    /// Takes a message back; its text then goes back to the input.
    case cancel(ConversationKey, text: String)
    /// A request of which the lines are shown.
    case answer
    /// A request of which only a failure is shown, with the words for it.
    case command(String)
    /// Nothing is shown at all: read positions, drafts, typing, focus.
    case silent

    /// True if the daemon answers it by itself and at once: it waits for no server and reads no long history.
    var isPrompt: Bool {
      switch self {
      case .search, .answer, .command, .emoticons, .fetch, .ownPicture, .avatar, .join, .making, .form, .service, .look,
        .devices(_, isFresh: true):
        false
      default: true
      }
    }

    var isOwnPicture: Bool { if case .ownPicture = self { true } else { false } }

    /// True if a person waits for the answer and the request is not repeated with the next connection.
    var isAwaited: Bool {
      switch self {
      case .answer, .command, .cancel, .join, .making, .form, .service, .look: true
      case .avatar(_, let isWanted): isWanted
      case .devices(_, let isFresh): isFresh
      default: false
      }
    }

    /// True if data lines are kept until the final line, so that they change nothing that is shown.
    var isGathered: Bool {
      switch self {
      case .accounts, .conversations, .newestConversations, .contacts, .rooms, .occupants, .foundOccupants, .ignored,
        .rows, .emoticons, .form, .service, .devices:
        true
      default: false
      }
    }
  }

  private var purposes: [Int64: Purpose] = [:]
  private var lastTag: Int64 = 0

  package init() {}

  /// The request with a tag of its own.
  mutating func ask(_ request: Request, _ purpose: Purpose) -> [UInt8] {
    lastTag += 1
    purposes[lastTag] = purpose
    var request = request
    request.tag = .integer(lastTag)
    return request.encoded()
  }

  var isEmpty: Bool { purposes.isEmpty }

  /// True if answers are outstanding and all are prompt: answers come in order.
  var awaitsPromptAnswer: Bool { !purposes.isEmpty && purposes.values.allSatisfy(\.isPrompt) }

  func contains(_ purpose: Purpose) -> Bool { purposes.values.contains(purpose) }

  func contains(where isMeant: (Purpose) -> Bool) -> Bool { purposes.values.contains(where: isMeant) }

  func purpose(of tag: Int64) -> Purpose? { purposes[tag] }

  mutating func settle(_ tag: Int64) { purposes[tag] = nil }

  /// The last question was not asked after all.
  mutating func forgetLast() { purposes[lastTag] = nil }

  /// It was not asked after all.
  mutating func forget(_ purpose: Purpose) { purposes = purposes.filter { $0.value != purpose } }

  /// The connection is gone, and no answer comes any more.
  ///
  /// - Returns: what the answers were for, in the order of the questions.
  mutating func forgetAll() -> [Purpose] {
    defer { purposes = [:] }
    return purposes.sorted { $0.key < $1.key }.map(\.value)
  }
}
