import ConfabAccounts
import Bytes
import JSON
import LineProtocol
import Records
import ConfabConfiguration
import XMPPCore
import XMPPExtensions

/// `send-file`, `fetch` and `fetch-stop`.
extension Command {
  static let files: [Verb: Handler] = [
    .sendFile: { try $0.sendFile() },
    .fetch: { try $0.fetch() },
    .fetchStop: { try $0.stopFetch() },
  ]

  // MARK: - Sending

  private func sendFile() throws(RequestFailure) {
    try context.checkStorage()
    _ = try account()
    let to = try context.jid(request.string(.to), "to")
    let name = try chosenName()
    let stanzaID = context.effects.token(bytes: 12)
    let descriptors = client.requests.takeDescriptors()
    let copies = descriptors.indices.map { Uploads.copyName(stanzaID: stanzaID, $0) }
    let settings = context.effects.daemon.files
    let plan = SpoolPlan(
      names: copies, name: name, limit: settings.spoolSize, stripsMetadata: settings.stripsMetadata)
    let key = clients.reservedKeys.reserve(request, of: client, context)
    client.waitCount += 1
    client.isCopying = true
    context.effects.order(.spool(descriptors, plan)) { outcome in
      findService(ifCopied: outcome) { finding in
        finish(key) { () throws(RequestFailure) in
          let files = try Self.files(outcome, limit: settings.spoolSize)
          do throws(RequestFailure) { try submit(files, finding, to, stanzaID) } catch {
            context.effects.order(.dropSpooled(copies))
            throw error
          }
        }
      }
    }
  }

  /// Ends a request; it is done even if the client has gone meanwhile.
  private func finish(_ key: String?, _ body: () throws(RequestFailure) -> Void) {
    client.waitCount -= 1
    client.isCopying = false
    do throws(RequestFailure) { try body() } catch { client.answers.append(request.error(error)) }
    if let key { clients.free(key) }
    clients.advance(client)
  }

  private func findService(
    ifCopied outcome: FileOutcome, _ then: @escaping (UploadDiscovery.Finding) -> Void
  ) {
    guard case .spooled = outcome, let account = try? account(), account.isOnline else { return then(.unknown) }
    account.parts.files.uploadDiscovery.find(then)
  }

  /// `as=`, cleaned.
  private func chosenName() throws(RequestFailure) -> String? {
    guard let wanted = request.string(.as) else { return nil }
    guard let name = FileName.cleaned(wanted), name == wanted else {
      throw RequestFailure(
        .badArgument, "a file cannot have this name: it is too long, or has a slash or control characters",
        argument: "as")
    }
    return name
  }

  private static func files(_ outcome: FileOutcome, limit: Int) throws(RequestFailure) -> [Attachment] {
    guard case .spooled(let measured) = outcome else { throw failure(outcome, limit: limit) }
    return measured.map { Attachment($0) }
  }

  private func submit(
    _ files: [Attachment], _ finding: UploadDiscovery.Finding, _ to: JID, _ stanzaID: String
  ) throws(RequestFailure) {
    try context.checkStorage()
    guard context.storage.isWhole else { throw RequestFailure(.storage, "the index is being made anew; try again") }
    let account = try account()
    if let key = request.string(.key), try isRepeat(of: key, account, to: to, request.text ?? "", files) {
      let copies = files.indices.map { Uploads.copyName(stanzaID: stanzaID, $0) }
      return context.effects.order(.dropSpooled(copies))
    }
    try checkRoom(to, account)
    let wish = try encryptionWish(to, account)
    let isActive = account.parts.messaging.encryption.state(of: to.bare.description).isActive
    try Self.check(files, finding, isEncrypted: wish.map { $0 == .required } ?? isActive)
    var message = message(to, account, request.text ?? "")
    message.stanzaID = stanzaID
    message.details = MessageDetails()
    message.details?.attachments = files
    message.want(wish)
    try submit(message, by: account)
  }

  /// Refuses what the account's server does not take, as far as that is known.
  private static func check(
    _ files: [Attachment], _ finding: UploadDiscovery.Finding, isEncrypted: Bool
  ) throws(RequestFailure) {
    switch finding {
    case .unknown: break
    case .none: throw RequestFailure(.notSupported, "the server has no upload service (XEP-0363)")
    case .service(let service):
      guard let taken = service.largest else { break }
      let limit = isEncrypted ? taken - min(taken, UInt64(FileKey.tagBytes)) : taken
      guard let large = files.first(where: { $0.size ?? 0 > limit }) else { break }
      let words = "the server takes at most \(limit)\(isEncrypted ? ", encrypted" : "")"
      throw tooLarge("\(large.name ?? "the file") has \(large.size ?? 0) bytes; \(words)", limit)
    }
  }

  private static func tooLarge(_ reason: String, _ limit: UInt64) -> RequestFailure {
    var failure = RequestFailure(.tooLarge, reason, argument: "descriptor")
    failure.limit = limit
    return failure
  }

  /// - Parameter limit: the most bytes of copies.
  private static func failure(_ outcome: FileOutcome, limit: Int) -> RequestFailure {
    switch outcome {
    case .unusable(let words): RequestFailure(.badArgument, words, argument: "descriptor")
    case .tooLong:
      tooLarge("files of more than \(limit) bytes can never wait to be uploaded (`spool-size`)", UInt64(limit))
    case .noRoom: RequestFailure(.limit, "more files wait to be uploaded than `spool-size` allows")
    case .noSpace: RequestFailure(.noSpace, "the disk is full")
    case .failed(let words): RequestFailure(.storage, words)
    default: RequestFailure(.storage, "the files could not be copied")
    }
  }

  // MARK: - Fetching

  private func fetch() throws(RequestFailure) {
    let target = try known(request.id(.id), "id")
    let (id, message) = (target.present.id, target.present.message)
    let (files, index) = (message.details?.files ?? [], request.integer(.index) ?? 0)
    guard files.indices.contains(index) else {
      throw RequestFailure(
        .notFound, "message \(id) has " + (files.isEmpty ? "no files" : "\(files.count) files, counted from 0"),
        argument: files.isEmpty ? "id" : "index")
    }
    let url = files[index].url
    // One of mine that waits to be uploaded is here.
    guard url.isEmpty || FileURL.isWeb(url) else {
      throw RequestFailure(.notAllowed, "files are fetched from addresses of http and https alone, and not from \(url)")
    }
    try Self.check(files[index].key, url)
    target.account.parts.files.fetches.give(
      Fetches.Request(
        ticket: lateTicket(), id: id, message: target.first, index: index, file: files[index],
        isLocal: request.string(.fetch) != nil))
  }

  /// Refuses an encrypted file that cannot be decrypted, or whose address shows to others what is fetched.
  private static func check(_ key: FileKey?, _ url: String) throws(RequestFailure) {
    guard let key, !url.isEmpty else { return }
    guard key.isUsable else {
      throw RequestFailure(
        .failed, "the file is encrypted, and its key is not here, or of a cipher that is not known")
    }
    guard FileURL.securePort(url) != nil else {
      throw RequestFailure(
        .notAllowed, "encrypted files are fetched from addresses of https alone, and not from \(url)")
    }
  }

  private func stopFetch() throws(RequestFailure) {
    let (id, index) = (request.id(.id) ?? 0, request.integer(.index) ?? 0)
    let count = context.accounts.all.map { $0.parts.files.fetches.stop(id, index, of: client.id) }.reduce(0, +)
    guard count > 0 else {
      throw RequestFailure(.notFound, "this connection waits for no file \(index) of message \(id)", argument: "id")
    }
    answerOK()
  }
}

extension Request {
  /// The final line of `fetch`.
  func answer(_ file: OpenFile) -> [UInt8] {
    ok {
      if let type = file.file.type { $0.member("type", type) }
      $0.member("size", file.size)
      if let name = file.name { $0.member("name", name) }
      if let width = file.file.width { $0.member("width", UInt64(width)) }
      if let height = file.file.height { $0.member("height", UInt64(height)) }
      $0.member("animated", file.file.isAnimated)
    }
  }
}

extension Attachment {
  /// A file of mine that is not uploaded.
  init(_ measured: MeasuredFile) {
    self.init()
    self = knowing(measured)
    name = measured.name
    hashes = measured.hash.map { [Hash(function: $0.function.name, value: $0.value)] } ?? []
  }
}
