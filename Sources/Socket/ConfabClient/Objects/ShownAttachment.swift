package import JSON

/// A file of a message (`docs/PROTOCOL.md`, "attachments"): as its sender says until it is fetched, then by its bytes.
package struct ShownAttachment: Equatable, Sendable {
  /// Empty while a file of mine is not uploaded.
  package var url: String
  /// Empty if the sender gave none.
  package var name: String
  /// The media type; empty if nobody knows it.
  package var type: String
  package var size: Int64?
  package var width: Int64?
  package var height: Int64?
  package var isAnimated: Bool
  /// Its address leads to what nobody can read without its key, which the daemon has.
  package var isEncrypted: Bool

  package init(_ object: JSONValue) {
    url = object["url"]?.string ?? ""
    name = object["name"]?.string ?? ""
    type = object["type"]?.string ?? ""
    size = object["size"]?.integer
    width = object["width"]?.integer
    height = object["height"]?.integer
    isAnimated = object["animated"]?.bool ?? false
    isEncrypted = object["encrypted"]?.bool ?? false
  }

  /// How it is called, for people: by its sender, else by the end of its address.
  package var title: String {
    if !name.isEmpty { return name }
    return addressName.isEmpty ? "unnamed file" : addressName
  }

  /// The part of the address behind its last slash, undecoded.
  private var addressName: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
    return path.count > 3 ? String(path.last ?? "") : ""
  }

  /// Its kind in words: `moving GIF, 320x200, 512 KiB`.
  package var facts: String {
    let pixels = width.flatMap { width in height.map { "\(width)x\($0)" } }
    let known = [(isAnimated ? "moving " : "") + kind, pixels, size.map(Self.words)]
    return known.compactMap(\.self).joined(separator: ", ")
  }

  /// True if the declared type is a picture; the bytes may differ.
  package var isPicture: Bool { type.hasPrefix("image/") }

  /// Its name on this machine: no hidden file, nothing of a path, and neither an option nor a home for a shell.
  package var fileName: String {
    let scalars = title.unicodeScalars.filter { $0 != "/" && $0 != "\0" }.drop { $0 == "." }
    guard let first = scalars.first else { return "file" }
    return first == "-" || first == "~" ? "_" + String(scalars.dropFirst()) : String(scalars)
  }

  /// The ending of a kind of file that cannot be a program; nil: it could be one.
  package var safeEnding: String? { Self.endings[type] }

  private static let endings = [
    "image/gif": "gif", "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf",
    "text/plain": "txt", "audio/mpeg": "mp3", "audio/ogg": "ogg", "audio/flac": "flac", "audio/mp4": "m4a",
    "video/mp4": "mp4", "video/webm": "webm", "video/x-matroska": "mkv",
  ]

  private static let kinds = [
    "image/gif": "GIF", "image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WebP", "application/pdf": "PDF",
    "text/plain": "text",
  ]

  private var kind: String { type.isEmpty ? "file" : Self.kinds[type] ?? type }

  /// A size as `confab send-file` says it.
  package static func words(_ size: Int64) -> String {
    if size < 10_000 { return "\(size) bytes" }
    return size < 10 << 20 ? "\(size >> 10) KiB" : "\(size >> 20) MiB"
  }
}
