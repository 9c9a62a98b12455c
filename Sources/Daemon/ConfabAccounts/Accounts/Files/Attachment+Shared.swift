import Crypto
import Records
import XML
import XMPPExtensions

extension Attachment {
  /// By the word of who sends it.
  init(_ file: SharedFile) {
    self.init()
    (url, key) = (file.url ?? "", file.key)
    (name, type, size) = (file.metadata.name, file.metadata.type, file.metadata.size)
    (width, height) = (file.metadata.width, file.metadata.height)
    hashes = file.metadata.hashes.map { Hash(function: $0.function.name, value: $0.value) }
  }

  /// The file as its stanza describes it.
  var shared: SharedFile {
    var file = SharedFile()
    (file.url, file.key) = (url, key)
    (file.metadata.name, file.metadata.type, file.metadata.size) = (name, type, size)
    (file.metadata.width, file.metadata.height) = (width, height)
    file.metadata.hashes = hashes.compactMap { FileHash(named: $0.function, $0.value) }
    return file
  }

  /// For clients that show texts alone.
  var plain: String { url.isEmpty ? name ?? "" : url }
}

extension [Attachment] {
  /// The end of a text for clients that do not know files: the addresses, one a line.
  package func addresses(behind text: String) -> String {
    isEmpty ? "" : (text.isEmpty ? "" : "\n") + map(\.url).joined(separator: "\n")
  }

  /// Writes files that all have addresses, and which part of the body stands for them: the addresses of those that are
  /// not encrypted, at its end.
  func write(behind text: String, in body: String, into writer: inout XMLWriter) {
    if isEmpty { return }
    FileSharing.write(map(\.shared), into: &writer)
    let end = body.unicodeScalars.count
    let start = end - filter { $0.key == nil }.addresses(behind: text).unicodeScalars.count
    guard start < end else { return }
    FallbackIndication.write(for: FileSharing.namespace, start..<end, into: &writer)
  }
}
