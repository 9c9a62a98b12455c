import ConfabClient

/// A reaction that was chosen by its name while the daemon still looked for it: the first one that it finds is meant.
struct AwaitedReaction: Equatable {
  let key: ConversationKey
  let message: UInt64
  let query: String
}
