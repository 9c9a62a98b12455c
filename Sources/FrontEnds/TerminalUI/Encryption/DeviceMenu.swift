import Clocks
import ConfabClient
import LineProtocol

/// The encryption of a conversation as pop-ups: its devices, and the things that can be done with one.
struct DeviceMenu {
  let model: SocketModel
  let key: ConversationKey
  /// A time for people.
  let stamp: (Timestamp) -> String

  private var isOwn: Bool { model.isOwn(key) }

  // MARK: All of them

  var list: [PickerItem] {
    guard let devices = model.encryption.devices[key], devices.isLoaded else {
      return [PickerItem("Asking the daemon …")]
    }
    let rows = devices.rows.isEmpty ? [PickerItem("No device is known.")] : devices.rows.flatMap(item)
    return state + rows + others
  }

  private var state: [PickerItem] {
    guard !isOwn, let state = model.encryption.states[key] else { return [] }
    return [
      PickerItem(state.words.prefix(1).uppercased() + state.words.dropFirst()),
      PickerItem("When to encrypt …", state.policy, .popup(.device(.policy(key)))),
    ]
  }

  /// The device, and its fingerprint on two lines as people compare it.
  private func item(_ row: DeviceRow) -> [PickerItem] {
    [PickerItem(name(row), facts(row), .popup(.device(.device(key, row.id))))] + digits(row)
  }

  /// In a room, whose it is, too.
  private func name(_ row: DeviceRow) -> String {
    ShownLine.clean(row.jid == key.jid ? row.name : "\(row.jid) \(row.name)", limit: 60)
  }

  private func facts(_ row: DeviceRow) -> String {
    let seen = row.isThis ? "" : row.lastSeen.map { "seen \(stamp($0))" } ?? "never seen"
    return [row.trustWords, row.isActive ? "" : "not on a list", seen].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func digits(_ row: DeviceRow) -> [PickerItem] {
    let groups = row.fingerprintGroups.map { ShownLine.clean($0, limit: 8) }
    guard groups.count == 8 else { return [] }
    return [groups[..<4], groups[4...]].map { half in
      var item = PickerItem("  " + half.joined(separator: " "))
      item.isContinuation = true
      return item
    }
  }

  private var others: [PickerItem] {
    let fresh = PickerItem("Ask the server again", "", .refreshDevices(key))
    guard !isOwn else { return [fresh] }
    let mine = model.ownDevices(of: key.account).map { PickerItem("My own devices …", "", .popup(.device(.list($0)))) }
    let verify = PickerItem(
      "Verify by an address …", "xmpp:…?omemo-sid-…, as a QR code has it", .prompt(.verify(key), text: ""))
    return [verify, fresh] + (mine.map { [$0] } ?? [])
  }

  // MARK: One of them

  func device(_ id: UInt32) -> [PickerItem] {
    guard let row = model.encryption.devices[key]?.rows.first(where: { $0.id == id }) else {
      return [PickerItem("The device is not there any more.")]
    }
    return [
      PickerItem([row.label.isEmpty ? "" : name(row), facts(row)].filter { !$0.isEmpty }.joined(separator: ": "))
    ]
      + digits(row) + (row.isThis ? [] : deciding(row)) + copying(row)
  }

  private func deciding(_ row: DeviceRow) -> [PickerItem] {
    let verify = decision(.trust, row, [.verified: .string("yes")])
    let question = "All 64 digits are those that the device itself shows"
    var items: [PickerItem] = []
    if !row.fingerprint.isEmpty {
      if row.trust != .verified {
        items.append(
          PickerItem("Mark as verified", "after you compared the digits", .popup(.confirm(question, verify))))
      }
      if row.trust != .trusted, row.trust != .verified {
        items.append(PickerItem("Trust", "without comparing", decision(.trust, row)))
      }
      if row.trust != .distrusted {
        items.append(PickerItem("Distrust", "nothing is encrypted to it any more", decision(.distrust, row)))
      }
    }
    if row.hasSession || row.isBroken {
      items.append(
        PickerItem("Begin a new session", "if messages cannot be read", request(.sessionReset, row, "session-reset")))
    }
    if isOwn {
      let remove = Intent.request(
        Request(.deviceRemove, arguments: [.id: .id(UInt64(row.id))], account: key.accountName),
        "/device-remove \(row.id)")
      items.append(
        PickerItem(
          "Take it off my lists", "nobody encrypts to it any more",
          .popup(.confirm("Take the device \(row.id) off my lists", remove))))
    }
    return items
  }

  private func decision(_ verb: Verb, _ row: DeviceRow, _ options: NamedValues<OptionName> = [:]) -> Intent {
    let arguments: NamedValues<ArgumentName> = [.jid: .string(row.jid), .fingerprint: .list([row.fingerprint])]
    let word = options[.verified] == nil ? verb.rawValue : "verify"
    return .request(
      Request(verb, options: options, arguments: arguments, account: key.accountName), "\(word) the device \(row.id)")
  }

  private func request(_ verb: Verb, _ row: DeviceRow, _ word: String) -> Intent {
    let arguments: NamedValues<ArgumentName> = [.jid: .string(row.jid), .id: .id(UInt64(row.id))]
    return .request(Request(verb, arguments: arguments, account: key.accountName), "/\(word) \(row.id)")
  }

  private func copying(_ row: DeviceRow) -> [PickerItem] {
    guard let uri = row.uri else { return [] }
    let address = PickerItem(
      "Copy the address that verifies it", "for another client of yours or a contact", .copy(uri))
    return (row.isThis ? [address] : []) + [PickerItem("Copy the fingerprint", "", .copy(row.fingerprint))]
  }

  // MARK: The policy

  var policies: [PickerItem] {
    let rows = [
      ("auto", "If it can be (auto)", "and always, from the first encrypted message on"),
      ("always", "Always", "messages wait or fail rather than go in plain text"),
      ("never", "Never", "everybody on the way can read them"),
    ]
    return rows.map { policy, title, detail in PickerItem(title, detail, Self.set(policy, key)) }
  }

  static func set(_ policy: String, _ key: ConversationKey) -> Intent {
    let arguments: NamedValues<ArgumentName> = [.jid: .string(key.jid), .policy: .string(policy)]
    return .request(
      Request(.encrypt, arguments: arguments, account: key.accountName), "/encrypt \(policy) with \(key.jid)")
  }
}

extension PickerItems {
  func devices(_ popup: DevicePopup) -> [PickerItem] {
    func menu(_ key: ConversationKey) -> DeviceMenu {
      DeviceMenu(model: model, key: key) { time in
        words.short(date(time), today: date(now))
      }
    }
    return switch popup {
    case .list(let key): menu(key).list
    case .device(let key, let id): menu(key).device(id)
    case .policy(let key): menu(key).policies
    }
  }
}
