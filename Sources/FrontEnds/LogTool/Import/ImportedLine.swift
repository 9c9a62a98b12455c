import Records

/// One line of an import file.
enum ImportedLine {
  case message(ImportedMessage)
  case draft(DraftRecord)
  case settings(SettingsRecord)
  /// A stanza without a text, kept for a later version that understands it.
  case stanza(PayloadRecord)

  /// - Parameter account: the account with that name in this log; for nil, the account of lines that name none.
  init(
    _ line: [UInt8], _ addresses: ImportedAddresses, account: (String?) throws(LineProblem) -> AccountRecord
  ) throws(LineProblem) {
    let object = try ImportedObject(line, addresses)
    if let text = try object.text("draft") {
      let number = try account(try object.text("account")).number
      self = .draft(DraftRecord(account: number, jid: try object.address("conversation", isBare: true), text: text))
    } else if let settings = try object.settings() {
      let number = try account(try object.text("account")).number
      self = .settings(settings.record(number, try object.address("conversation", isBare: true)))
    } else if let xml = try object.text("stanza") {
      let number = try account(try object.text("account")).number
      guard let time = try object.time("time") else { throw LineProblem("'time' is missing") }
      var stanza = PayloadRecord(
        account: number, time: time, xml: Array(xml.utf8), archiveID: try object.name("archive_id"))
      (stanza.waitsFor, stanza.depth) = (try object.name("waits_for").flatMap { UInt64($0) }, try object.depth())
      self = .stanza(stanza)
    } else {
      self = .message(try ImportedMessage(object, account: account))
    }
  }
}
