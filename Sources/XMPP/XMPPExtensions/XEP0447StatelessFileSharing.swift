package import Bytes
package import XML

/// A file of a message: what its sender says of it, and where it is.
package struct SharedFile: Sendable, Equatable {
  package var metadata = FileMetadata()
  /// Nil: at no address that we understand.
  package var url: String?
  /// The file is encrypted where it lies; nil: it is not.
  package var key: FileKey?

  package init() {}
}

/// XEP-0447: the files of a message, several of which may stand in one.
package enum FileSharing {
  package static let namespace: StaticString = "urn:xmpp:sfs:0"

  /// More files of a message are not read.
  package static let most = 32

  /// The files of a message: those of XEP-0447, and addresses of XEP-0066 that none of them has.
  package static func files(of message: Element) -> [SharedFile] {
    var files = message.children("file-sharing", namespace).prefix(most).compactMap(file)
    for url in OutOfBandData.urls(in: message) where files.count < most && !files.contains(where: { $0.url == url }) {
      var file = SharedFile()
      file.url = url
      files.append(file)
    }
    return files
  }

  /// True of an element that names a file of its message.
  package static func isPart(_ element: Element) -> Bool {
    element.isNamed("file-sharing", namespace) || element.isIn(OutOfBandData.namespace)
  }

  private static func file(_ sharing: Element) -> SharedFile? {
    guard let metadata = sharing.child("file", FileMetadata.namespace) else { return nil }
    var file = SharedFile()
    file.metadata = FileMetadata(metadata)
    let sources = sharing.child("sources", namespace)
    if let encrypted = sources.flatMap(EncryptedSource.read) {
      (file.url, file.key) = (encrypted.url.isEmpty ? nil : encrypted.url, encrypted.key)
      return file
    }
    let urls = sources?.children("url-data", URLData.namespace).compactMap(URLData.url) ?? []
    file.url = urls.first(where: FileURL.isWeb) ?? urls.first
    return file
  }

  /// Writes files that all have addresses, with the keys of those that are encrypted.
  package static func write(_ files: [SharedFile], into writer: inout XMLWriter) {
    for (index, file) in files.enumerated() {
      // Several have to be told apart (section 4.2).
      let id = files.count > 1 ? "\(index)" : nil
      writer.open("file-sharing", xmlns: namespace, attributes: ["disposition": "inline", "id": id])
      file.metadata.write(into: &writer)
      writer.open("sources")
      if let key = file.key {
        EncryptedSource.write(file.url ?? "", key, into: &writer)
      } else {
        URLData.write(file.url ?? "", into: &writer)
      }
      writer.close()
      writer.close()
    }
    for file in files where file.key == nil { OutOfBandData.write(file.url ?? "", into: &writer) }
  }
}
