/// Items of pop-ups that do not fit on one line: the rest is on further lines, which cannot be chosen.
struct HelpRows {
  /// A context as wide as the inside of the pop-up.
  let context: LayoutContext

  /// Keys are in a column of their own, if there is room for one.
  static let keyColumns = 32

  /// Keys, and a sentence beside or below them.
  func help(_ items: [PickerItem]) -> [PickerItem] {
    items.flatMap { item in
      let room = context.width - Self.keyColumns - 3
      let isBeside = room >= 32 && item.title.count <= Self.keyColumns
      let lines = wrapped(item.detail, isBeside ? room : context.width - 6)
      guard isBeside else { return [with(item, detail: "")] + lines.map { continuation("  " + $0, "") } }
      return [with(item, detail: lines[0])] + lines.dropFirst().map { continuation("", $0) }
    }
  }

  /// Lines of text; further ones of a line are indented as it is, or by two spaces.
  func text(_ items: [PickerItem]) -> [PickerItem] {
    items.flatMap { item in
      let indent = max(2, item.title.prefix { $0 == " " }.count)
      let lines = wrapped(item.title, context.width - 4 - indent)
      var first = item
      first.title = lines[0]
      return [first] + lines.dropFirst().map { continuation(String(repeating: " ", count: indent) + $0, "") }
    }
  }

  /// A choice, and what it means: below it, if both do not fit beside each other.
  func choices(_ items: [PickerItem]) -> [PickerItem] {
    items.flatMap { item in
      let width = OneLine(item.title + "  " + item.detail, width: context.width + 1, in: context).width
      guard width > context.width - 4 else { return [item] }
      if item.detail.isEmpty { return text([item]) }
      let detail = PickerItem(item.title.prefix { $0 == " " } + "  " + item.detail)
      return text([with(item, detail: "")]) + text([detail]).map { continuation($0.title, "") }
    }
  }

  private func with(_ item: PickerItem, detail: String) -> PickerItem {
    PickerItem(item.title, detail, item.intent, more: item.more, path: item.path)
  }

  private func continuation(_ title: String, _ detail: String) -> PickerItem {
    var item = PickerItem(title, detail)
    item.isContinuation = true
    return item
  }

  private func wrapped(_ text: String, _ width: Int) -> [String] {
    Wrapped.lines(text, width: max(8, width), in: context)
  }
}
