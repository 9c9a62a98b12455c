/// Types of files as others name them.
package enum MediaType {
  /// A media type as RFC 6838 (section 4.2) has it, in lower case and without parameters; nil if it is none.
  package static func cleaned(_ text: String) -> String? {
    let name = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      (1...127).contains(part.utf8.count) && part.utf8.allSatisfy { letters.contains($0) }
    }
    return parts.count == 2 && isSound ? name : nil
  }

  private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789!#$&-^_.+".utf8)
}
