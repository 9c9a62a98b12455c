import LineProtocol
package import Records
import Ratchet
import XMPPCore

// The requests of front ends.
extension Encryption {
  /// The outlook for the next message of a conversation, as far as is known: is it encrypted?
  package struct State: Equatable {
    package let policy: EncryptionPolicy
    package let isActive: Bool
    /// For people.
    package let reason: String
    /// Devices of the contact, and those of them that messages are encrypted to.
    package let devices: Int
    package let usable: Int
  }

  /// The bare JIDs of those who read the messages of a conversation, but me.
  package func people(of jid: String) -> [String] { recipients.audience(jid).map { $0.people ?? [] } ?? [jid] }

  /// Asks for the lists of somebody that are not known as they are now: the next message is encrypted by those.
  package func look(at jid: String) {
    for person in people(of: jid) where !jid.contains("/") && keys.device != nil && !lists.isCurrent(person) {
      lists.ask(person)
    }
  }

  package func state(of jid: String) -> State {
    let audience = recipients.audience(jid)
    let active = people(of: jid).flatMap(devices.active)
    let usable = active.count { devices.isUsed($0) && !$0.isBroken }
    let policy = jid.contains("/") ? .never : policies.policy(of: jid)
    let hidesPeople = audience?.showsAddresses == false
    let (isActive, reason) = decision(
      jid, policy, active.count, usable, hidesPeople: hidesPeople, isRoom: audience != nil)
    return State(policy: policy, isActive: isActive, reason: reason, devices: active.count, usable: usable)
  }

  private func decision(
    _ jid: String, _ policy: EncryptionPolicy, _ count: Int, _ usable: Int, hidesPeople: Bool, isRoom: Bool
  ) -> (Bool, String) {
    if hidesPeople, policy == .always || policies.isEncrypted(jid) {
      return (true, "the room hides who is in it: messages fail")
    }
    if hidesPeople { return (false, "the room hides who is in it") }
    if policy == .never { return (false, "encryption is switched off here") }
    if devices.this == nil { return (false, "this device has no keys yet") }
    let isNeeded = policy == .always || policies.isEncrypted(jid)
    if count == 0 {
      let reason =
        people(of: jid).allSatisfy(lists.isCurrent)
        ? "no device of the contact is known" : "it is not known yet whether the contact has devices"
      return (isNeeded, isNeeded ? "\(reason): messages wait, or fail" : reason)
    }
    if !isRoom, usable > Recipients.most { return (true, "the contact has too many devices: messages fail") }
    if usable == 0 { return (true, "no device of the contact can be used: messages fail") }
    return (true, usable < count ? "some devices of the contact are left out" : "the contact has devices")
  }

  /// Decides about an identity key; returns the record's number.
  package func decide(_ trust: DeviceTrust, about identity: [UInt8], of jid: String) -> UInt64 {
    defer { keysMayBeKnown() }
    return devices.decide(trust, about: identity, of: jid)
  }

  /// True if there is a session with a device.
  package func hasSession(_ device: DeviceRecord) -> Bool {
    RatchetVersion.allCases.contains { sessions.has(.init(jid: device.jid, id: device.id, version: $0)) }
  }

  /// Asks for somebody's lists; the answer comes when those are here, or not to be had.
  package func refresh(_ jid: String, for ticket: Ticket) {
    waiting[jid, default: []].append(ticket)
    lists.ask(jid, isUrgent: true)
  }

  /// Takes a device of mine off the lists.
  package func remove(_ id: UInt32, for ticket: Ticket) {
    publisher.remove(id) { [effects] answer in
      effects.answer(
        ticket,
        answer?.outcome
          ?? .failed(RequestFailure(.notFound, "no list of the account has the device \(id)", argument: "id")))
    }
  }

  /// Begins new sessions with a device, or with all of somebody: at once, or when the next message leaves. Returns the
  /// number of the record; nil: there are none.
  package func resetSessions(_ jid: String, _ id: UInt32?) -> UInt64? {
    let peers = devices.all(of: jid).filter { id == nil || $0.id == id }.flatMap { device in
      RatchetVersion.allCases.map { Sessions.Peer(jid: jid, id: device.id, version: $0) }
    }.filter(sessions.retire)
    guard !peers.isEmpty else { return nil }
    let sequence = secrets.store()
    bundles.forgetFailures(of: jid)
    healer.renew(peers, of: jid)
    return sequence
  }
}
