import ConfabClient
import LineProtocol

/// Pop-ups about a message.
extension PickerItems {
  /// The usual reactions, or what was searched for; choosing mine again takes it away.
  func reactions(to id: UInt64, in key: ConversationKey, _ query: String) -> [PickerItem] {
    guard let window = model.windows[key], let index = window.index(of: id) else { return [] }
    let mine = window.rows[index].details.myReactions
    let others = mine.filter { emoji in !Self.usualReactions.contains { $0.0 == emoji } }.map { ($0, "") }
    let usual = Self.usualReactions.filter { query.isEmpty || $0.1.contains(query.lowercased()) }
    let isFound = query.isEmpty || model.emoticons.matches.text == query
    guard isFound || !usual.isEmpty else { return [PickerItem("Searching …", "", .reactOnceFound(key, id, query))] }
    let matches = isFound && !query.isEmpty ? model.emoticons.matches.found : []
    let found = matches.compactMap { emoticon in emoticon.text.map { ($0, emoticon.name) } }
      .filter { emoji, _ in !usual.contains { $0.0 == emoji } }
    return (usual + (query.isEmpty ? others : found)).map { emoji, name in
      let isMine = mine.contains(emoji)
      let rest = isMine ? mine.filter { $0 != emoji } : mine + [emoji]
      return PickerItem("\(emoji)  \(name)", isMine ? "remove yours" : "", .react(key, id, rest))
    }
  }

  private static let usualReactions = [
    ("👍", "thumbs up"), ("❤️", "red heart"), ("😂", "face with tears of joy"), ("😮", "face with open mouth"),
    ("😢", "crying face"), ("🎉", "party popper"),
  ]

  /// A choice of the switcher, for a message that is forwarded there.
  func forwarding(_ item: PickerItem, _ id: UInt64) -> PickerItem {
    guard case .open(let key, _) = item.intent else { return item }
    var item = item
    item.intent = .forward(id, key, text: nil)
    return item
  }

  func choices(of target: TextTarget) -> [PickerItem] {
    let search = Intent.find(target.target, target.conversation)
    let open = PickerItem(target.target, target.words, target.intent)
    let others = [PickerItem("Copy it", "", .copy(target.target)), PickerItem("Search for it", "", search)]
    return [open] + others.filter { $0.intent != target.intent }
  }

  /// Nothing is fetched before one of them is chosen. A file of mine has no address until it is sent.
  func choices(of chosen: FileTarget) -> [PickerItem] {
    let target = current(chosen)
    guard !target.file.url.isEmpty else { return unsent(target) }
    let hide = PickerItem("Hide it", "", .hide(target))
    let show = PickerItem("Show it here", "fetches and draws it", target.fetching(.show))
    let view = PickerItem("View it on the whole screen", "fetches and draws it", .view(target))
    let drawing = isDrawn(target) ? [hide] : [show] + showAll(target)
    let state = model.fetches.states(of: target.message)[target.index]
    let stop = state?.progress.map {
      PickerItem("Stop it", $0, .stopFetching(target.message, [target.index], target.conversation))
    }
    // The bytes at the address of an encrypted file are of no use to anybody.
    let copy = target.file.isEncrypted ? nil : PickerItem("Copy its address", target.file.url, .copy(target.file.url))
    let more = [copy, stop, state?.trouble.map { PickerItem($0) }].compactMap(\.self)
    return (target.file.isPicture ? drawing + [view] : []) + [
      PickerItem("Open it", "fetches it and starts the program for it", target.fetching(.open)),
      PickerItem("Save it as …", "fetches it", .prompt(.saveFile(target), text: "~/" + target.file.fileName)),
    ] + more
  }

  /// Without hidden files: these can be typed.
  /// - Parameter isNarrowed: whether only files are wanted that fit a query.
  func folderItems(_ key: ConversationKey, isNarrowed: Bool) -> [PickerItem] {
    guard let folder else { return [PickerItem("Reading the folder …")] }
    let up = PickerItem("..", "the folder around it", .folder(folder.parent, key))
    if !folder.failure.isEmpty { return [up, PickerItem(folder.failure)] }
    let shown = folder.entries.filter { !$0.name.hasPrefix(".") }
    return (isNarrowed ? [] : [up])
      + shown.map { entry in
        let path = folder.path(of: entry.name)
        return entry.isFolder
          ? PickerItem(entry.name + "/", "", .folder(path, key))
          : PickerItem(entry.name, ShownAttachment.words(entry.size), .sendFiles([path], key))
      }
  }

  /// A file that has no address: one of mine that is not uploaded yet, or was not.
  private func unsent(_ target: FileTarget) -> [PickerItem] {
    guard let row = row(of: target), row.isMine else { return [PickerItem("The file has no address")] }
    guard row.delivery == .queued else { return sendAgain(target) }
    var request = Request(.cancel, arguments: [.id: .id(target.message)])
    request.account = target.conversation.accountName
    let words = row.progress?.words(of: row.details.attachments.count) ?? "The file is still being sent"
    return [PickerItem(words), PickerItem("Take the message back", "", .request(request, "cancel"))]
  }

  /// The daemon keeps no copy of a file that was not sent.
  private func sendAgain(_ target: FileTarget) -> [PickerItem] {
    guard let (paths, _) = model.outgoing.files(of: target.message) else {
      return [
        PickerItem("Choose the file again …", "it was not sent, and no copy is kept", .folder("~", target.conversation))
      ]
    }
    let again = Intent.sendAgain(target.message, target.conversation)
    let words = paths.count == 1 ? "Send it again" : "Send all \(paths.count) files again"
    return [PickerItem(words, "as a new message: " + TypedPath.words(paths, ""), again)]
  }

  private func row(of target: FileTarget) -> MessageRow? {
    let window = model.windows[target.conversation]
    return window.flatMap { window in window.index(of: target.message).map { window.rows[$0] } }
  }

  /// The file as it is by now: one of mine gets its address once it is sent.
  private func current(_ target: FileTarget) -> FileTarget {
    let files = row(of: target)?.files(in: target.conversation) ?? []
    return files.indices.contains(target.index) ? files[target.index] : target
  }

  private func showAll(_ target: FileTarget) -> [PickerItem] {
    let count = row(of: target)?.pictureFiles(in: target.conversation).count ?? 0
    let all = Intent.showAll(target.message, target.conversation)
    return count > 1 ? [PickerItem("Show all \(count) pictures here", "fetches and draws them", all)] : []
  }

  func targets(_ targets: [TextTarget]) -> [PickerItem] {
    targets.map { PickerItem($0.target, $0.words, $0.intent, more: .copy($0.target)) }
  }
}
