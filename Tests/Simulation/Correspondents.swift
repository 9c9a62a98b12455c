import Clocks
import JSON
import Records
import XML
import XMPPCore

/// What those who get messages say of them: receipts (XEP-0184) and markers (XEP-0333), theirs and ours.
extension Mailbox {
  /// Whoever got a message of the user's says so, after a while, to whoever is there.
  func confirm(_ id: String, by jid: String) {
    guard world.climate.confirms else { return }
    world.after(world.dice.pause(.seconds(2))) { [self] in
      say(.delivered, "<received xmlns='urn:xmpp:receipts' id='\(id)'/>", id, by: jid)
      guard world.dice.percent(40) else { return }
      world.after(world.dice.pause(.seconds(5))) { [self] in
        say(.displayed, "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/>", id, by: jid)
      }
    }
  }

  private func say(_ state: DeliveryState, _ words: String, _ id: String, by jid: String) {
    guard let session, session.isAvailable else { return }
    confirmed[id] = max(state, confirmed[id] ?? state)
    session.send("<message from='\(jid)/desk' to='\(self.jid)' type='chat' id='of-\(id)'>\(words)</message>")
  }

  /// The user's client says how far a message got that came to it: what it has is stored.
  func told(_ element: Element) {
    let received = element.child("received", Namespace.receipts)?.attribute("id")
    let displayed = element.child("displayed", Namespace.chatMarkers)?.attribute("id")
    for id in [received, displayed].compactMap(\.self) {
      let count = witness.count(ofIncoming: id)
      world.hold(count > 0, "somebody was told that \(id) is here, and the log does not have it")
    }
    if let received { receipts[received, default: 0] += 1 }
  }

  /// Nothing is said of a message of the user's that nobody said; what was asked for was said.
  func checkConfirmations() {
    for (id, arrival) in arrivals {
      guard let sequence = witness.sequence(ofMine: id) else { continue }
      let state = witness.state(of: sequence)
      let isDisplayedLater = confirmed.contains { $0.value == .displayed }
      world.hold(
        state != .delivered || confirmed[id] != nil, "\(arrival.text) is delivered, and nobody said so")
      world.hold(state != .displayed || isDisplayedLater, "\(arrival.text) is displayed, and nobody said so")
    }
    for parcel in parcels where mustBeConfirmed(parcel) {
      world.hold(receipts[parcel.id] != nil, "\(parcel.from) asked for a receipt for \(parcel.id), and got none")
    }
  }

  /// It came live, from somebody who may see us, and the server can tell what it has. With an orderly end it is taken for
  /// granted that what was written arrives.
  private func mustBeConfirmed(_ parcel: Parcel) -> Bool {
    let canTell = world.climate.management && world.climate.askers == 0 && world.faults[.stop] == nil
    return canTell && parcel.archiveID == nil && parcel.way == .toUser && parcel.asksForReceipt
      && !parcel.from.hasPrefix("stranger") && witness.count(ofIncoming: parcel.id) == 1
  }
}

/// Checks that `status` tells the truth about the archive.
extension Server {
  /// If `status` says that an account's archive is complete, everything the archive had when the session began must be
  /// stored soon.
  func checkArchive(_ account: JSONValue) {
    guard account["archive"]?["state"]?.string == "complete",
      let mailbox = mailboxes.first(where: { $0.jid == account["jid"]?.string }), let session = mailbox.session
    else { return }
    let missing = mailbox.missing(before: session.began)
    guard !missing.isEmpty else { return }
    let starts = starts
    world.after(.minutes(2)) { [self] in
      // A daemon that died meanwhile may have had them.
      guard starts == self.starts else { return }
      let lost = missing.filter { mailbox.witness.count(ofIncoming: $0) == 0 }
      world.hold(lost.isEmpty, "\(mailbox.jid)'s archive is said to be complete, and \(lost) are not here")
    }
  }
}

extension Mailbox {
  /// Messages that the archive had for a while at that time, and that the log lacks.
  func missing(before time: Timestamp) -> [String] {
    parcels.filter { $0.archiveID != nil && $0.time < time && !isHere($0) }.map(\.id)
  }
}
