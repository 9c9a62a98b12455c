import ConfabClient

/// Avatars of the people whose conversations are open, as small pictures. Each is drawn once for a room, whoever has it.
struct AvatarCache {
  private struct Owner {
    let key: ConversationKey
    /// The room for which the avatar was asked for since the conversation is on the screen; nil: it was not.
    var asked: PictureCanvas?
    /// XEP-0084's; empty: there is none, or nobody knows it.
    var hash = ""
  }

  private struct Drawn {
    let hash: String
    let canvas: PictureCanvas
    /// nil: it cannot be drawn.
    let picture: DrawnPicture?
  }

  /// The one that was opened last is last.
  private var owners: [Owner] = []
  /// The newest is last.
  private var drawn: [Drawn] = []

  private static let mostOwners = 200
  private static let mostDrawn = 50

  /// The conversations that are on the screen now.
  ///
  /// - Returns: those of which the avatar has to be asked for: each once, and again for another room.
  mutating func show(_ keys: [ConversationKey], on canvas: PictureCanvas) -> [ConversationKey] {
    for index in owners.indices where !keys.contains(owners[index].key) { owners[index].asked = nil }
    let missing = keys.filter { key in owners.last { $0.key == key }?.asked != canvas }
    for key in missing {
      let hash = hash(of: key)
      owners.removeAll { $0.key == key }
      owners.append(Owner(key: key, asked: canvas, hash: hash))
    }
    owners.removeFirst(max(0, owners.count - Self.mostOwners))
    return missing
  }

  /// After a new link: each avatar that is on the screen is asked for again.
  mutating func askAgain() { for index in owners.indices { owners[index].asked = nil } }

  /// - Parameter hash: empty: there is no avatar here.
  mutating func note(_ hash: String, of key: ConversationKey) {
    if let index = owners.firstIndex(where: { $0.key == key }) { owners[index].hash = hash }
  }

  func isDrawn(_ hash: String, on canvas: PictureCanvas) -> Bool {
    drawn.contains { $0.hash == hash && $0.canvas == canvas }
  }

  func picture(of key: ConversationKey, on canvas: PictureCanvas) -> DrawnPicture? {
    let hash = hash(of: key)
    return drawn.first { $0.hash == hash && $0.canvas == canvas }?.picture
  }

  /// - Returns: a picture that is not kept any longer.
  mutating func add(_ picture: DrawnPicture?, _ hash: String, on canvas: PictureCanvas) -> DrawnPicture? {
    drawn.append(Drawn(hash: hash, canvas: canvas, picture: picture))
    return drawn.count > Self.mostDrawn ? drawn.removeFirst().picture : nil
  }

  private func hash(of key: ConversationKey) -> String { owners.first { $0.key == key }?.hash ?? "" }
}
