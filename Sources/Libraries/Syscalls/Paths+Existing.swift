extension Paths {
  /// The nearest directory above that is there.
  package static func existing(above path: String) -> String {
    var parent = parent(of: path)
    while (try? status(parent)) ?? nil == nil, parent != "/", parent != "." { parent = self.parent(of: parent) }
    return parent
  }
}
