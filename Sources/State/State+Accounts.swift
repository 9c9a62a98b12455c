package import Records

// Who has which number. A record of an account that nothing is known of comes where that account's own record cannot be
// read any more: its number is taken all the same, and all that the log says of it is kept, until it is known whose it is.
extension State {
  /// The account of a section of the configuration: that of its name and JID, or one of its JID whose name is lost; of
  /// several the newest. Else the only one of its JID that is in no section: this one was renamed.
  ///
  /// - Parameter isElsewhere: whether another section has this name, and the same JID.
  package func account(
    _ name: String, _ jid: String, isElsewhere: (String) -> Bool = { _ in false }
  ) -> AccountState? {
    let own = accounts.values.filter { $0.record.jid == jid }.sorted { $0.number < $1.number }
    if let known = own.last(where: { $0.record.name == name }) ?? own.last(where: \.record.name.isEmpty) {
      return known
    }
    let free = own.filter { !isElsewhere($0.record.name) }
    return free.count == 1 ? free.first : nil
  }

  /// A number that no record has.
  package var freeNumber: UInt32 {
    guard let last = accounts.keys.max() else { return 1 }
    // Only a forged log has the last number of all.
    return last < .max ? last + 1 : (1...last).first { accounts[$0] == nil } ?? last
  }

  /// What the log says again in each new segment, so that no one place of it is all that says whose an account is.
  package var accountRecords: [Record] {
    accounts.values.map(\.record).filter { !$0.name.isEmpty }.sorted { $0.number < $1.number }.map { .account($0) }
  }

  /// Those of which nobody knows whose they are, in the order of their numbers.
  package var unknownAccounts: [AccountState] {
    accounts.values.filter(\.record.jid.isEmpty).sorted { $0.number < $1.number }
  }
}

extension AccountState {
  /// What it is called where several are told apart: its name, or what is known in the place of that.
  package var label: String {
    record.name.isEmpty ? record.jid.isEmpty ? "#\(record.number)" : record.jid : record.name
  }

  /// Its own record says whose it is, and what that is called from then on. Its JID never changes.
  func apply(_ record: AccountRecord) {
    guard self.record.jid.isEmpty || self.record.jid == record.jid else { return }
    self.record = record
  }

  /// A stream is bound to the account's own address, and to nobody else's.
  func learn(from beginning: StreamRecord.Beginning) {
    guard record.jid.isEmpty else { return }
    record.jid = String(beginning.jid.prefix { $0 != "/" })
  }
}
