package import ConfabClient
import JSON
import LineProtocol

/// The configuration of a room as a form (XEP-0004): what the room has, and what was changed here and is not sent yet.
package struct RoomForm: Equatable, Sendable {
  package let key: ConversationKey
  package private(set) var fields: [Field] = []
  /// False while it comes.
  package var isWhole = false

  package struct Field: Equatable, Sendable {
    /// Empty of words between the fields.
    let name: String
    let type: String
    let label: String
    let help: String
    let options: [(value: String, label: String)]
    /// As the room has it.
    let old: [String]
    var values: [String]

    package static func == (one: Self, other: Self) -> Bool {
      (one.name, one.old, one.values) == (other.name, other.old, other.values)
    }
  }

  init(_ key: ConversationKey) { self.key = key }

  mutating func receive(_ object: JSONValue) {
    guard let field = object["field"].flatMap(Field.init) else { return }
    fields.append(field)
  }

  mutating func set(_ name: String, _ values: [String]) {
    for index in fields.indices where fields[index].name == name { fields[index].values = values }
  }

  /// Sets a field to what somebody has typed.
  mutating func set(_ name: String, _ text: String) {
    if let field = fields.first(where: { $0.name == name }) { set(name, field.values(of: text)) }
  }

  func isMany(_ name: String) -> Bool { fields.contains { $0.name == name && $0.type == "list-multi" } }

  private var changed: [Field] { fields.filter { $0.values != $0.old } }

  /// `2 changes`; nil: nothing was changed.
  var changeWords: String? {
    let count = changed.count
    return count == 0 ? nil : "\(count) change\(count == 1 ? "" : "s")"
  }

  /// Nil: nothing was changed.
  var saving: Request? {
    guard !changed.isEmpty else { return nil }
    let values = changed.map { FieldValues($0.name, $0.values.isEmpty ? [""] : $0.values) }
    return Request(.configure, in: key, [.fields: .fields(values)])
  }

  // MARK: As a list

  var items: [PickerItem] {
    guard isWhole else { return [PickerItem("Asking the room …")] }
    let words = changeWords
    let save = PickerItem(
      words.map { "Save \($0)" } ?? "Nothing is changed yet", "", words.map { _ in .room(.save(key)) })
    return [save] + fields.flatMap { [item($0)] + help(on: $0) }
  }

  /// The words of the room about a field, below it.
  private func help(on field: Field) -> [PickerItem] {
    var item = PickerItem("    " + field.help)
    item.isContinuation = true
    return field.help.isEmpty ? [] : [item]
  }

  private func item(_ field: Field) -> PickerItem {
    guard !field.name.isEmpty else { return PickerItem(field.words) }
    let mark = field.values == field.old ? "  " : "* "
    return PickerItem(mark + field.label, field.words, intent(field))
  }

  private func intent(_ field: Field) -> Intent {
    switch field.type {
    case "boolean": .room(.set(key, name: field.name, values: [field.values == ["yes"] ? "no" : "yes"]))
    case _ where !field.options.isEmpty: .popup(.room(.field(key, name: field.name, label: field.label)))
    default:
      .prompt(.room(.field(name: field.name, label: field.question), key), text: field.typed)
    }
  }

  /// The choices of a field.
  func choices(_ name: String) -> [PickerItem] {
    guard let field = fields.first(where: { $0.name == name }) else { return [] }
    let isMany = field.type == "list-multi"
    return (field.help.isEmpty ? [] : [PickerItem(field.help)])
      + field.options.map { option in
        let isSet = field.values.contains(option.value)
        let others = isMany ? field.values.filter { $0 != option.value } : []
        let values = isMany && isSet ? others : others + [option.value]
        return PickerItem(
          option.label, isSet ? isMany ? "set; Enter removes it" : "set" : "",
          .room(.set(key, name: name, values: values)))
      }
  }
}

extension RoomForm.Field {
  /// Nil of hidden ones.
  init?(_ object: JSONValue) {
    type = object["type"]?.string ?? "text-single"
    guard type != "hidden" else { return nil }
    let isFixed = type == "fixed"
    name = isFixed ? "" : object["name"]?.string ?? ""
    let label = object["label"]?.string ?? ""
    self.label = label.isEmpty ? name : label
    help = object["description"]?.string ?? ""
    options = (object["options"]?.array ?? []).compactMap { option in
      option["value"]?.string.map { ($0, option["label"]?.string ?? $0) }
    }
    switch object["value"] {
    case .bool(let isSet)?: old = [isSet ? "yes" : "no"]
    case .array(let values)?: old = values.compactMap(\.string)
    case .string(let text)?: old = text.isEmpty ? [] : [text]
    default: old = []
    }
    values = old
  }

  /// The values, for people.
  var words: String {
    if isSecret, !values.isEmpty { return "(not shown)" }
    let shown = values.map { value in options.first { $0.value == value }?.label ?? value }
    return ShownLine.clean(shown.joined(separator: ", "), limit: Self.shownLetters)
  }

  private static var shownLetters: Int { 60 }

  /// The label, and what the room says about it.
  var question: String {
    let several = separator.map { " (several, separated by \($0))" } ?? ""
    return (help.isEmpty ? label : "\(label): \(help)") + several
  }

  /// Stands between the values of a field that has several: lines have commas in them.
  private var separator: String? { type == "text-multi" ? "\\n" : type.hasSuffix("-multi") ? "," : nil }

  /// The values as one text, to be changed.
  var typed: String { isSecret ? "" : values.joined(separator: separator ?? "") }

  /// A secret is not shown, and stays unless another one is typed.
  private var isSecret: Bool { type == "text-private" }

  /// The values of a text that somebody has typed.
  func values(of text: String) -> [String] {
    if isSecret, text.isEmpty { return values }
    guard let separator else { return text.isEmpty ? [] : [text] }
    let parts = text.split(separator: separator, omittingEmptySubsequences: type != "text-multi")
    return text.isEmpty ? [] : parts.map { type == "text-multi" ? String($0) : String($0).trimmingSpaces }
  }
}
