package import Records

/// The people of an account: its roster, and what is known of contacts and of the account itself.
package final class ContactBook {
  /// Roster items and those who ask for our presence, by bare JID.
  private var byJID: [String: ContactRecord] = [:]
  /// The roster's version as of which it is complete; nil: it was never fetched whole.
  package internal(set) var rosterVersion: String?
  /// Avatars, as far as they are known, by bare JID.
  package private(set) var avatars: [String: AvatarRecord] = [:]
  /// Nicknames (XEP-0172), by bare JID.
  package private(set) var nicknames: [String: String] = [:]
  /// With whom messages of mine are in the log and not forgotten, by bare JID.
  var writtenTo: Set<String> = []

  package subscript(jid: String) -> ContactRecord? { byJID[jid] }

  /// In no order that means anything.
  package var all: Dictionary<String, ContactRecord>.Values { byJID.values }

  /// True if `jid` is on the roster, with any subscription, or was written to.
  func know(_ jid: String) -> Bool { byJID[jid]?.subscription != nil || writtenTo.contains(jid) }

  /// The bare JIDs of all such.
  var knownJIDs: Set<String> {
    writtenTo.union(byJID.values.lazy.filter { $0.subscription != nil }.map(\.jid))
  }

  func apply(_ contact: ContactRecord, own: String) {
    byJID[contact.jid] = contact.isGone ? nil : contact
    guard contact.isGone else { return }
    nicknames[contact.jid] = nil
    if contact.jid != own { avatars[contact.jid] = nil }
  }

  func apply(_ avatar: AvatarRecord, own: String) {
    if isKept(avatar.jid, own: own) { avatars[avatar.jid] = avatar }
  }

  func apply(_ nickname: NicknameRecord, own: String) {
    if isKept(nickname.jid, own: own) { nicknames[nickname.jid] = nickname.nickname }
  }

  /// True for people on the roster and for the account itself: data about others is dropped.
  private func isKept(_ jid: String, own: String) -> Bool { byJID[jid] != nil || jid == own }

  func shownName(of jid: String, own: String) -> ShownName? {
    if let name = byJID[jid]?.name { return ShownName(name, own: own, nickname: nicknames[own]) }
    return nicknames[jid].map { ShownName(claimed: $0) }
  }
}
