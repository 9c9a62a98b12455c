import Bytes

// The field numbers stand in docs/LOG-FORMAT.md, "Payloads". Field 1 is the account of every record.

extension AccountRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(number))
    writer.string(2, name)
    writer.string(3, jid)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(number: 0, name: "", jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: number = try reader.uint(UInt32.self)
      case 2: name = try reader.string()
      case 3: jid = try reader.string()
      default: break
      }
    }
  }
}

extension AccountWish {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.bool(2, connected)
    writer.string(3, show)
    if !status.isEmpty { writer.string(4, status) }
    if isCommand { writer.bool(5, true) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: connected = try reader.bool()
      case 3: show = try reader.string()
      case 4: status = try reader.string()
      case 5: isCommand = try reader.bool()
      default: break
      }
    }
  }
}

extension DeliveryRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if !isOfOutbox {
      writer.string(2, jid)
      writer.int(3, time)
    }
    writer.uint(4, id)
    writer.uint(5, UInt64(state.rawValue))
    if inDoubt { writer.bool(6, true) }
    if let failure { writer.string(7, failure.condition) }
    if let text = failure?.text { writer.string(8, text) }
    if isHeld { writer.bool(9, true) }
    if isImported { writer.bool(10, true) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "", time: 0, id: 0, state: .queued)
    isOfOutbox = true
    while let field = try reader.next() { try take(field, from: &reader) }
    // A time without a conversation says nothing.
    if isOfOutbox { time = 0 }
  }

  private mutating func take(_ field: UInt32, from reader: inout FieldReader) throws(FieldError) {
    switch field {
    case 1: account = try reader.uint(UInt32.self)
    case 2: (jid, isOfOutbox) = (try reader.string(), false)
    case 3: time = try reader.int()
    case 4: id = try reader.uint()
    case 5:
      guard let known = DeliveryState(rawValue: try reader.uint(UInt8.self)) else { throw .wrongType(number: 5) }
      state = known
    case 6: inDoubt = try reader.bool()
    case 7: failure = Failure(condition: try reader.string(), text: failure?.text)
    case 8: failure = Failure(condition: failure?.condition ?? "undefined-condition", text: try reader.string())
    case 9: isHeld = try reader.bool()
    case 10: isImported = try reader.bool()
    default: break
    }
  }
}

extension TransmissionRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    for id in ids { writer.uint(2, id) }
    if let place { writer.uint(3, UInt64(place)) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, ids: [])
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: ids.append(try reader.uint())
      case 3: place = try reader.uint(UInt32.self)
      default: break
      }
    }
  }
}

extension SuspicionRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.uint(2, id)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, id: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: id = try reader.uint()
      default: break
      }
    }
  }
}

extension LoginRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if let mechanism { writer.string(2, mechanism) }
    if let channelBinding { writer.string(3, channelBinding) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: mechanism = try reader.string()
      case 3: channelBinding = try reader.string()
      default: break
      }
    }
  }
}
