/// The arguments of `/save`: `[NUMBER] PATH` for the files of a message.
enum SaveCommand: Equatable {
  case file(FileTarget, path: String)
  /// A sentence.
  case failure(String)

  init(_ words: String, _ files: [FileTarget]) {
    let number = Int(words.prefix { $0 != " " })
    let rest = number == nil ? words : String(words.drop { $0 != " " }.drop { $0 == " " })
    let index = (number ?? 1) - 1
    if files.isEmpty {
      self = .failure("The message has no file.")
    } else if let (path, more) = TypedPath.first(of: rest), more.isEmpty {
      if number == nil, files.count > 1 {
        self = .failure("The message has \(files.count) files: /save NUMBER PATH.")
      } else if files.indices.contains(index) {
        self = .file(files[index], path: path)
      } else {
        self = .failure("The message has no file \(index + 1).")
      }
    } else {
      self = .failure("Type /save and a path; of several files the number stands in front: /save 2 PATH.")
    }
  }
}
