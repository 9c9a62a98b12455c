package import ConfabClient
import JSON
import LineProtocol

/// Files: sending and fetching them.
extension SocketModel {
  /// Sends files, with a text or without one; they wait here until the daemon has stored them.
  package mutating func send(files paths: [String], _ text: String, to conversation: ConversationKey, key: String) {
    transmit(outgoing.add(text, to: conversation, purpose: nil, key: key, holdSeconds: 0, paths: paths))
  }

  mutating func transmitFiles(_ message: OutgoingText) {
    let request = Request(
      .sendFile, options: [.key: .string(message.key)], arguments: [.to: .string(message.conversation.jid)],
      text: message.text.isEmpty ? nil : message.text, account: message.conversation.accountName)
    guard let bytes = encode(request, .send(message.id)) else { return }
    fileRequests.append(FileRequest(message: message.id, paths: message.paths, bytes: bytes))
  }

  /// The files of a message cannot be opened: it was not asked for.
  mutating func giveUp(_ id: OutgoingText.ID, _ reason: String) -> [ModelEvent] {
    questions.forget(.send(id))
    return outgoing.take(id).map { [.refused($0, reason)] } ?? []
  }

  /// Asks for a file; the person waits for it.
  package mutating func fetch(_ file: WantedFile, in key: ConversationKey) {
    guard link == .connected, fetches.add(file, key) else { return }
    askForFiles()
  }

  /// Asks for the files that can be asked for by now.
  private mutating func askForFiles() {
    while let (file, key) = fetches.next() {
      let arguments: NamedValues<ArgumentName> = [.id: .id(file.message), .index: .integer(file.index)]
      ask(Request(.fetch, arguments: arguments, account: key.accountName), .fetch(file, key))
    }
  }

  /// - Parameter failure: nil: the file is here.
  /// - Returns: whether the person still waits for it.
  mutating func endFetch(of file: WantedFile, failure: String? = nil) -> Bool {
    defer { askForFiles() }
    return fetches.end(file, failure: failure)
  }

  /// Asks for a picture of mine; no server is asked, since nobody waits for it.
  mutating func askOwnPicture(_ file: WantedFile, in key: ConversationKey) {
    let arguments: NamedValues<ArgumentName> = [.id: .id(file.message), .index: .integer(file.index)]
    ask(
      Request(.fetch, options: [.fetch: .string("no")], arguments: arguments, account: key.accountName),
      .ownPicture(file, key))
  }

  /// True while an answer to `askOwnPicture` is outstanding.
  var awaitsOwnPicture: Bool { questions.contains(where: \.isOwnPicture) }

  /// The person waits for these files of a message no longer.
  package mutating func stopFetching(_ message: UInt64, _ files: some Sequence<Int>, in key: ConversationKey) {
    for index in files where fetches.stop(message, index) {
      let arguments: NamedValues<ArgumentName> = [.id: .id(message), .index: .integer(index)]
      ask(Request(.fetchStop, arguments: arguments, account: key.accountName), .silent)
    }
    askForFiles()
  }

  /// Files of a message that are on their way, or were not got or sent, by their indices.
  ///
  /// - Parameter filesKey: the key that lists the files of a message, for people.
  func fileStates(_ row: MessageRow, filesKey: String) -> [Int: FileState] {
    let files = row.details.files
    guard !files.isEmpty else { return [:] }
    guard row.hasUnsentFiles else { return fetches.states(of: row.id) }
    let way = outgoing.files(of: row.id) == nil ? "/file" : filesKey
    let state = FileState.notSent("Not sent; \(way) sends \(files.count == 1 ? "it" : "them") again")
    return Dictionary(uniqueKeysWithValues: files.indices.map { ($0, state) })
  }

  /// Asks for somebody's avatar.
  package mutating func askAvatar(of key: ConversationKey, _ wish: AvatarWish) {
    var request = Request(.avatar, arguments: [.jid: .string(key.jid)], account: key.accountName)
    if wish == .ifHere { request.options[.fetch] = .string("no") }
    ask(request, .avatar(key, isWanted: wish == .wanted))
  }

  /// The file is here, and known by its bytes; so it is in its message from now on.
  mutating func fetched(_ wanted: WantedFile, _ object: JSONValue, in key: ConversationKey) -> WantedFile {
    var wanted = wanted
    let (url, name, isEncrypted) = (wanted.file.url, wanted.file.name, wanted.file.isEncrypted)
    wanted.file = ShownAttachment(object)
    (wanted.file.url, wanted.file.name, wanted.file.isEncrypted) = (url, name, isEncrypted)
    windows[key]?.update(wanted.message) { row in
      let files = row.details.files
      guard files.indices.contains(wanted.index), files[wanted.index].url == url else { return }
      row.details.files[wanted.index] = wanted.file
    }
    return wanted
  }
}

/// The places where an avatar is looked for.
package enum AvatarWish: Equatable, Sendable {
  /// In what the daemon keeps: no server learns that somebody looks.
  case ifHere
  /// At its owner's server, too, since it is to be shown.
  case shown
  /// At its owner's server, too, and a person waits for it.
  case wanted
}

extension SocketModel {
  mutating func takeTransfer(_ object: JSONValue, in key: ConversationKey) {
    guard let id = object["id"]?.integer, let transfer = FileProgress(object) else { return }
    guard !fetches.take(transfer, of: UInt64(clamping: id)) else { return }
    windows[key]?.update(UInt64(clamping: id)) { row in
      if row.isMine, row.delivery == .queued { row.progress = transfer }
    }
  }
}
