import Facts
import Records

/// Contacts as they will be when the records on their way are durable, and what all of them take.
struct ContactsUnderWay {
  private var contacts: [String: ContactRecord] = [:]
  /// The newest of the records.
  private var last: UInt64 = 0
  /// What all contacts take, as `ContactRecord.footprint` counts it.
  private(set) var footprint: Int
  /// Requests for our presence that waited at the login or came since.
  var requests: Int

  init(of account: AccountFacts) {
    footprint = account.contacts.values.reduce(0) { $0 + $1.footprint }
    requests = account.contacts.values.count(where: \.request)
  }

  var jids: some Sequence<String> { contacts.keys }

  subscript(jid: String) -> ContactRecord? { contacts[jid] }

  /// A record of a contact was appended, which takes so much more than it did.
  mutating func append(_ contact: ContactRecord, _ sequence: UInt64, growth: Int) {
    contacts[contact.jid] = contact
    last = sequence
    footprint += growth
  }

  /// All records up to this one are durable.
  mutating func durable(_ sequence: UInt64) {
    if last <= sequence { contacts = [:] }
  }
}
