import LineProtocol

/// Messages that were changed while something on the screen is about them.
extension Application {
  /// A message stands otherwise now.
  func follow(_ row: MessageRow, _ key: ConversationKey) {
    if composer.follow(row, in: key) {
      say("That message was retracted; what you write is a message of its own now.")
    }
    guard row.details.retraction != nil else { return }
    desk.popups.removeAll { $0.kind.messages.contains(row.id) }
    if desk.viewer?.current.message == row.id { desk.viewer = nil }
    gate.forget(row.id)
  }

  /// Messages may have been changed while nobody heard of it.
  func followChanges(of key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    let shown = Set(desk.popups.flatMap(\.kind.messages) + [composer[key].purpose?.messageID].compactMap(\.self))
    for row in window.rows where shown.contains(row.id) { follow(row, key) }
  }
}

extension Picker.Kind {
  /// The messages of which the pop-up shows something, or does something with.
  fileprivate var messages: [UInt64] {
    switch self {
    case .react(_, let id), .forward(let id), .answer(_, let id?): [id]
    case .targets(let targets): targets.map(\.message)
    case .target(let target): [target.message]
    case .files(let files): files.map(\.message)
    case .file(let file), .prompt(.saveFile(let file)): [file.message]
    case .confirm(_, .request(let request, _)): request.id(.id).map { [$0] } ?? []
    default: []
    }
  }
}
