import ConfabAccounts
import JSON
import LineProtocol
import Pictures
import XMPPCore
import XMPPExtensions

/// `avatar`, `avatar-set` and `avatar-remove`.
extension Command {
  static let avatars: [Verb: Handler] = [
    .avatar: { try $0.giveAvatar() },
    .avatarSet: { try $0.setAvatar() },
    .avatarRemove: { try $0.removeAvatar() },
  ]

  private func giveAvatar() throws(RequestFailure) {
    let (account, owner) = (try account(), try jid().bare)
    let obstacle = Result { () throws(RequestFailure) in
      if request.string(.fetch) != nil { throw RequestFailure(.notFound, "no avatar of \(owner) is here") }
      try context.checkOnline(account)
    }
    account.parts.people.avatars.give(of: owner, for: lateTicket(), unless: obstacle.failure)
  }

  private func removeAvatar() throws(RequestFailure) {
    let account = try account()
    try context.checkOnline(account)
    account.parts.people.avatarPublisher.publish(nil, for: ticket())
  }

  private func setAvatar() throws(RequestFailure) {
    let account = try account()
    try context.checkOnline(account)
    guard let descriptor = client.requests.takeDescriptors().first else { return }
    let ticket = ticket()
    client.isCopying = true
    context.effects.order(.read(descriptor, limit: Limits.avatar)) { outcome in
      switch Self.avatar(outcome) {
      case .success(let avatar): account.parts.people.avatarPublisher.publish(avatar, for: ticket)
      case .failure(let failure): context.effects.answer(ticket, .failed(failure))
      }
      client.isCopying = false
      clients.advance(client)
    }
  }

  private static func avatar(_ outcome: FileOutcome) -> Result<Avatar, RequestFailure> {
    let reason: String
    switch outcome {
    case .read(let bytes):
      if let avatar = Avatar(bytes) { return .success(avatar) }
      reason =
        "the file is no PNG, JPEG, GIF or WebP picture of at most \(Avatar.mostPixels) by \(Avatar.mostPixels) pixels"
    case .tooLong: return .failure(RequestFailure(.tooLarge, "the picture is longer than \(Limits.avatar) bytes"))
    case .unusable(let words): reason = words
    default: reason = "the file cannot be read"
    }
    return .failure(RequestFailure(.badArgument, reason, argument: "descriptor"))
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension Request {
  /// The final line of `avatar`.
  func answer(_ avatar: OpenAvatar) -> [UInt8] {
    ok {
      $0.member("type", avatar.header.format.rawValue)
      $0.member("size", avatar.byteCount)
      $0.member("width", avatar.header.width)
      $0.member("height", avatar.header.height)
      $0.member("hash", avatar.hash)
    }
  }
}
