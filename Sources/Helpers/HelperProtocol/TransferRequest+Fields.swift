package import Bytes
import Clocks
import Crypto

/// How a request goes over the socket: tagged fields, as in the log. Both ends are of the same build.
extension TransferRequest {
  private enum Field {
    static let limit: UInt32 = 1
    static let size: UInt32 = 2
    static let url: UInt32 = 3
    static let header: UInt32 = 4
    static let privateAddresses: UInt32 = 5
    static let privateOrigin: UInt32 = 6
    static let authorityFile: UInt32 = 7
    static let authorityHost: UInt32 = 8
    static let proxy: UInt32 = 9
    static let nameServer: UInt32 = 10
    static let hash: UInt32 = 11
    static let patience: UInt32 = 12
    static let key: UInt32 = 13
  }

  package var encoded: [UInt8] {
    var writer = FieldWriter()
    switch direction {
    case .get(let limit): writer.uint(Field.limit, limit)
    case .put(let size): writer.uint(Field.size, size)
    }
    writer.string(Field.url, url)
    for header in headers { writer.message(Field.header) { $0.pair(header.name, header.value) } }
    writer.bool(Field.privateAddresses, privateAddresses)
    for origin in privateOrigins { writer.string(Field.privateOrigin, origin) }
    if let authorityFile { writer.string(Field.authorityFile, authorityFile) }
    for host in authorityHosts { writer.string(Field.authorityHost, host) }
    if let proxy { writer.message(Field.proxy, proxy.write) }
    for server in nameServers { writer.string(Field.nameServer, server) }
    for hash in hashes { writer.string(Field.hash, hash.rawValue) }
    writer.int(Field.patience, patience.milliseconds)
    if let key { writer.message(Field.key, key.write) }
    return writer.bytes
  }

  /// - Throws: if a field is malformed, or there is no direction.
  package init(decoding bytes: [UInt8]) throws(FieldError) {
    var request = TransferRequest(.get(limit: 0), url: "")
    var hasDirection = false
    try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      while let number = try reader.next() {
        if number <= Field.size { hasDirection = true }
        try request.take(number, &reader)
      }
    }
    guard hasDirection else { throw .truncated }
    self = request
  }

  private mutating func take(_ number: UInt32, _ reader: inout FieldReader) throws(FieldError) {
    switch number {
    case Field.limit: direction = .get(limit: try reader.uint())
    case Field.size: direction = .put(size: try reader.uint())
    case Field.url: url = try reader.string()
    case Field.header: headers.append(try TransferHeader(reader))
    case Field.privateAddresses: privateAddresses = try reader.bool()
    case Field.privateOrigin: privateOrigins.append(try reader.string())
    case Field.authorityFile: authorityFile = try reader.string()
    case Field.authorityHost: authorityHosts.append(try reader.string())
    case Field.proxy: proxy = try SOCKSProxy(reader)
    case Field.nameServer: nameServers.append(try reader.string())
    case Field.hash: hashes.append(try HashAlgorithm(reader))
    case Field.patience: patience = .milliseconds(try reader.int())
    case Field.key: key = try FileKey(reader)
    default: throw .wrongType(number: number)
    }
  }
}

extension TransferHeader {
  fileprivate init(_ reader: borrowing FieldReader) throws(FieldError) {
    let (name, value) = try reader.pair()
    guard let header = TransferHeader(name: name, value: value) else { throw .wrongType(number: reader.number) }
    self = header
  }
}

extension FileKey {
  fileprivate func write(_ writer: inout FieldWriter) {
    writer.bytes(1, key)
    writer.bytes(2, nonce)
  }

  fileprivate init(_ reader: borrowing FieldReader) throws(FieldError) {
    var (key, nonce) = ([UInt8](), [UInt8]())
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case 1: key = try fields.bytes()
        case 2: nonce = try fields.bytes()
        default: throw .wrongType(number: number)
        }
      }
    }
    self.init(key: key, nonce: nonce)
    guard isUsable else { throw .wrongType(number: reader.number) }
  }
}

extension SOCKSProxy {
  private enum Field {
    static let host: UInt32 = 1
    static let port: UInt32 = 2
    static let user: UInt32 = 3
    static let password: UInt32 = 4
  }

  fileprivate func write(_ writer: inout FieldWriter) {
    writer.string(Field.host, host)
    writer.uint(Field.port, UInt64(port))
    if let user { writer.bytes(Field.user, user) }
    writer.bytes(Field.password, password)
  }

  fileprivate init(_ reader: borrowing FieldReader) throws(FieldError) {
    var (host, port, user, password) = ("", UInt16(0), [UInt8]?.none, [UInt8]())
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case Field.host: host = try fields.string()
        case Field.port: port = try fields.uint(UInt16.self)
        case Field.user: user = try fields.bytes()
        case Field.password: password = try fields.bytes()
        default: throw .wrongType(number: number)
        }
      }
    }
    self.init(host: host, port: port, user: user, password: password)
  }
}

extension HashAlgorithm {
  init(_ reader: borrowing FieldReader) throws(FieldError) {
    guard let hash = HashAlgorithm(rawValue: try reader.string()) else { throw .wrongType(number: reader.number) }
    self = hash
  }
}

/// Two texts, as fields 1 and 2 of a message.
extension FieldWriter {
  mutating func pair(_ first: String, _ second: String) {
    string(1, first)
    string(2, second)
  }
}

extension FieldReader {
  func pair() throws(FieldError) -> (String, String) {
    var (first, second) = ("", "")
    try message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case 1: first = try fields.string()
        case 2: second = try fields.string()
        default: throw .wrongType(number: number)
        }
      }
    }
    return (first, second)
  }
}
