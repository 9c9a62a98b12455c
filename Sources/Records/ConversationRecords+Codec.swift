import Bytes

// The field numbers stand in docs/LOG-FORMAT.md, "Payloads". Field 1 is the account of every record.

extension ReadRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    writer.int(3, time)
    writer.uint(4, id)
    if let marker { writer.uint(5, marker) }
    if let movedBackAt { writer.int(6, movedBackAt) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "", time: 0, id: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: time = try reader.int()
      case 4: id = try reader.uint()
      case 5: marker = try reader.uint()
      case 6: movedBackAt = try reader.int()
      default: break
      }
    }
  }
}

extension DraftRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    writer.string(3, text)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "", text: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: text = try reader.string()
      default: break
      }
    }
  }
}

extension ContactRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    if let name { writer.string(3, name) }
    for group in groups { writer.string(4, group) }
    if let subscription { writer.string(5, subscription) }
    if let ask { writer.string(6, ask) }
    if request { writer.bool(7, true) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: name = try reader.string()
      case 4: groups.append(try reader.string())
      case 5: subscription = try reader.string()
      case 6: ask = try reader.string()
      case 7: request = try reader.bool()
      default: break
      }
    }
  }
}

extension RosterVersionRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, version)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, version: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: version = try reader.string()
      default: break
      }
    }
  }
}

extension OfferRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    for name in mechanisms { writer.string(2, name) }
    for type in channelBindings { writer.string(3, type) }
    if streamManagement { writer.bool(4, true) }
    if rosterVersioning { writer.bool(5, true) }
    if setbacks > 0 { writer.uint(6, UInt64(setbacks)) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: mechanisms.append(try reader.string())
      case 3: channelBindings.append(try reader.string())
      case 4: streamManagement = try reader.bool()
      case 5: rosterVersioning = try reader.bool()
      case 6: setbacks = try reader.uint(UInt8.self)
      default: break
      }
    }
  }
}

extension RefusedRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if let from { writer.string(2, from) }
    if let stanzaID { writer.string(3, stanzaID) }
    writer.uint(4, size)
    writer.string(5, reason)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, from: nil, stanzaID: nil, size: 0, reason: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: from = try reader.string()
      case 3: stanzaID = try reader.string()
      case 4: size = try reader.uint()
      case 5: reason = try reader.string()
      default: break
      }
    }
  }
}

extension PayloadRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.int(2, time)
    writer.bytes(3, xml)
    if let archiveID { writer.string(4, archiveID) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, time: 0, xml: [])
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: time = try reader.int()
      case 3: xml = try reader.bytes()
      case 4: archiveID = try reader.string()
      default: break
      }
    }
  }
}
