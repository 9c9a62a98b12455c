import Bytes

// The field numbers stand in docs/LOG-FORMAT.md, "Payloads". Field 1 is the account of every record.

extension StreamRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    beginning?.encode(into: &writer)
    if let handled { writer.uint(7, UInt64(handled)) }
    if let ceiling { writer.uint(8, UInt64(ceiling)) }
    if hasRoster { writer.bool(9, true) }
    if let presencePlace { writer.uint(10, UInt64(presencePlace)) }
    for presence in presences { writer.message(11) { presence.encode(into: &$0) } }
    if let leftAt { writer.int(12, leftAt) }
    if isOver { writer.bool(13, true) }
    if let settled { writer.uint(14, UInt64(settled)) }
    for entry in unconfirmedReceipts { writer.message(15) { entry.encode(into: &$0) } }
    if let keepsArchiveIDs { writer.bool(20, keepsArchiveIDs) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2...6: try takeBeginning(field, from: &reader)
      case 7: handled = try reader.uint(UInt32.self)
      case 8: ceiling = try reader.uint(UInt32.self)
      case 9: hasRoster = try reader.bool()
      case 10: presencePlace = try reader.uint(UInt32.self)
      case 11:
        presences.append(try reader.message { inner throws(FieldError) in try PresenceRecord(from: &inner) })
      case 12: leftAt = try reader.int()
      case 13: isOver = try reader.bool()
      case 14: settled = try reader.uint(UInt32.self)
      case 15:
        unconfirmedReceipts.append(
          try reader.message { inner throws(FieldError) in try UnconfirmedReceipt(from: &inner) })
      case 20: keepsArchiveIDs = try reader.bool()
      default: break
      }
    }
  }

  private mutating func takeBeginning(_ field: UInt32, from reader: inout FieldReader) throws(FieldError) {
    var beginning = self.beginning ?? Beginning(jid: "")
    switch field {
    case 2: beginning.jid = try reader.string()
    case 3: beginning.id = try reader.string()
    case 4: beginning.maximumSeconds = try reader.uint(UInt32.self)
    case 5: beginning.location = try reader.string()
    default: beginning.isDirect = try reader.bool()
    }
    self.beginning = beginning
  }
}

extension StreamRecord.Beginning {
  fileprivate func encode(into writer: inout FieldWriter) {
    writer.string(2, jid)
    if let id { writer.string(3, id) }
    if let maximumSeconds { writer.uint(4, UInt64(maximumSeconds)) }
    if let location { writer.string(5, location) }
    if isDirect { writer.bool(6, true) }
  }
}

extension StreamRecord.UnconfirmedReceipt {
  fileprivate func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(place))
    writer.uint(2, sequence)
  }

  fileprivate init(from reader: inout FieldReader) throws(FieldError) {
    self.init(place: 0, sequence: 0)
    while let field = try reader.next() {
      switch field {
      case 1: place = try reader.uint(UInt32.self)
      case 2: sequence = try reader.uint()
      default: break
      }
    }
  }
}

extension PresenceRecord {
  fileprivate func encode(into writer: inout FieldWriter) {
    writer.string(1, jid)
    if !resource.isEmpty { writer.string(2, resource) }
    if let show { writer.string(3, show) }
    if !status.isEmpty { writer.string(4, status) }
    if priority != 0 { writer.int(5, priority) }
  }

  fileprivate init(from reader: inout FieldReader) throws(FieldError) {
    self.init(jid: "", resource: "")
    while let field = try reader.next() {
      switch field {
      case 1: jid = try reader.string()
      case 2: resource = try reader.string()
      case 3: show = try reader.string()
      case 4: status = try reader.string()
      case 5: priority = try reader.int()
      default: break
      }
    }
  }
}
