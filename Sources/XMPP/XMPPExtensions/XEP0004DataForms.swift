package import XML
import XMPPCore

/// XEP-0004: fields that an entity shows, or asks for.
package struct DataForm: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable { case form, submit, cancel, result }

  /// The type of a field's value; a field without one, or with an unknown one, is `textSingle` (section 3.3).
  package enum FieldType: String, Sendable, CaseIterable {
    case boolean, fixed, hidden
    case jidMulti = "jid-multi"
    case jidSingle = "jid-single"
    case listMulti = "list-multi"
    case listSingle = "list-single"
    case textMulti = "text-multi"
    case textPrivate = "text-private"
    case textSingle = "text-single"

    fileprivate var takesSeveral: Bool { [.jidMulti, .listMulti, .textMulti].contains(self) }
    fileprivate var isChangeable: Bool { self != .fixed && self != .hidden }
  }

  package struct Option: Sendable, Equatable {
    package var label: String?
    package var value: String

    package init(label: String? = nil, value: String) { (self.label, self.value) = (label, value) }
  }

  package struct Field: Sendable, Equatable {
    /// The `var`; empty for a fixed text without one.
    package var name: String
    package var type: FieldType
    package var label: String?
    package var description: String?
    package var isRequired: Bool
    package var values: [String]
    package var options: [Option]

    package init(
      name: String, type: FieldType = .textSingle, label: String? = nil, description: String? = nil,
      isRequired: Bool = false, values: [String] = [], options: [Option] = []
    ) {
      (self.name, self.type, self.label, self.description) = (name, type, label, description)
      (self.isRequired, self.values, self.options) = (isRequired, values, options)
    }
  }

  /// The reason why there is no form to read.
  package enum Failure: Error, Sendable, Equatable { case missing, tooManyFields, tooLong }

  package static let mostFields = 1_000
  /// Bytes of all texts of a form.
  package static let mostBytes = 256 << 10

  package var kind: Kind
  package var title: String?
  package var instructions: String?
  package var fields: [Field]

  package init(_ kind: Kind = .form, title: String? = nil, instructions: String? = nil, fields: [Field]) {
    (self.kind, self.title, self.instructions, self.fields) = (kind, title, instructions, fields)
  }

  /// Reads an `<x/>`. Fields without a name are left out, unless they are texts to show.
  package init(_ element: Element) throws(Failure) {
    guard element.isNamed("x", Namespace.dataForms) else { throw .missing }
    kind = element.attribute("type").flatMap(Kind.init) ?? .form
    title = element.child("title", Namespace.dataForms)?.text
    // There may be several, a line each (section 3).
    let lines = element.children("instructions", Namespace.dataForms).map(\.text)
    instructions = lines.isEmpty ? nil : lines.joined(separator: "\n")
    let fields = element.children("field", Namespace.dataForms)
    guard fields.count <= Self.mostFields else { throw .tooManyFields }
    self.fields = fields.compactMap(Field.init)
    guard byteCount <= Self.mostBytes else { throw .tooLong }
  }

  /// Reads the only form in an element.
  package init(in element: Element) throws(Failure) {
    let forms = element.children("x", Namespace.dataForms)
    guard forms.count == 1, let form = forms.first else { throw .missing }
    try self.init(form)
  }

  /// The first field of a name.
  package subscript(name: String) -> Field? { fields.first { $0.name == name } }

  /// The first value of a field.
  package func value(of name: String) -> String? { self[name]?.values.first }

  /// The name of the set of fields that it is made of (XEP-0068).
  package var formType: String? { value(of: "FORM_TYPE") }

  private var byteCount: Int {
    fields.reduce((title?.utf8.count ?? 0) + (instructions?.utf8.count ?? 0)) { $0 + $1.byteCount }
  }
}

extension DataForm.Field {
  fileprivate init?(_ field: Element) {
    name = field.attribute("var") ?? ""
    type = field.attribute("type").flatMap(DataForm.FieldType.init) ?? .textSingle
    guard !name.isEmpty || type == .fixed else { return nil }
    label = field.attribute("label")
    description = field.child("desc", Namespace.dataForms)?.text
    isRequired = field.child("required", Namespace.dataForms) != nil
    values = field.children("value", Namespace.dataForms).map(\.text)
    options = field.children("option", Namespace.dataForms).compactMap { option in
      option.child("value", Namespace.dataForms).map { .init(label: option.attribute("label"), value: $0.text) }
    }
  }

  fileprivate var byteCount: Int {
    let texts = [name, label ?? "", description ?? ""] + values + options.flatMap { [$0.label ?? "", $0.value] }
    return texts.reduce(0) { $0 + $1.utf8.count }
  }
}

// MARK: - Submitting

extension DataForm {
  /// New values of one field.
  package struct Change: Sendable, Equatable {
    package let name: String
    package let values: [String]

    package init(_ name: String, _ values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// The reason why a field does not take a value.
  package enum Refusal: Error, Sendable, Equatable {
    case unknownField, notChangeable, notBoolean, notAnOption, notAnAddress, oneValueOnly, required
  }

  /// Returns the change of a field to what a person typed, as the form takes it: a boolean is `1` or `0`, a text of
  /// several lines has a value for each.
  package func change(_ name: String, to values: [String]) throws(Refusal) -> Change {
    guard !name.isEmpty, let field = self[name] else { throw .unknownField }
    guard field.type.isChangeable else { throw .notChangeable }
    return Change(name, try field.accepted(values))
  }

  /// Writes the answer: the hidden fields as they came, FORM_TYPE among them, and the changes. The other fields keep
  /// their values.
  package func writeSubmit(_ changes: [Change], into writer: inout XMLWriter) {
    let hidden = fields.filter { $0.type == .hidden || $0.name == "FORM_TYPE" }.map { Change($0.name, $0.values) }
    Self.writeSubmit(hidden + changes, into: &writer)
  }

  /// Writes a form that is submitted without having been asked for.
  ///
  /// - Parameter formType: the value of its FORM_TYPE.
  package static func writeSubmit(_ formType: String, _ values: [Change], into writer: inout XMLWriter) {
    writeSubmit([Change("FORM_TYPE", [formType])] + values, into: &writer)
  }

  /// Writes a form that cancels what was asked.
  package static func writeCancel(into writer: inout XMLWriter) {
    writer.empty("x", xmlns: Namespace.dataForms, attributes: ["type": Kind.cancel.rawValue])
  }

  private static func writeSubmit(_ values: [Change], into writer: inout XMLWriter) {
    writer.open("x", xmlns: Namespace.dataForms, attributes: ["type": Kind.submit.rawValue])
    for change in values {
      let isType = change.name == "FORM_TYPE"
      writer.open("field", attributes: ["var": change.name, "type": isType ? FieldType.hidden.rawValue : nil])
      for value in change.values { writer.element("value", text: value) }
      writer.close()
    }
    writer.close()
  }
}

extension DataForm.Field {
  fileprivate func accepted(_ values: [String]) throws(DataForm.Refusal) -> [String] {
    let given = type == .textMulti ? values.flatMap(Self.lines) : values
    guard given.count <= 1 || type.takesSeveral else { throw .oneValueOnly }
    guard given.contains(where: { !$0.isEmpty }) else { return try cleared(given) }
    var accepted: [String] = []
    for value in given { accepted.append(try self.accepted(value)) }
    return accepted
  }

  /// Lists and addresses have no empty value, unless it is an option.
  private func cleared(_ given: [String]) throws(DataForm.Refusal) -> [String] {
    guard !isRequired else { throw .required }
    if type == .boolean, !given.isEmpty { throw .notBoolean }
    if type == .listSingle, !options.isEmpty, !options.contains(where: \.value.isEmpty) { throw .notAnOption }
    let isText = [.textMulti, .textPrivate, .textSingle].contains(type)
    return isText || options.contains(where: \.value.isEmpty) ? given : []
  }

  private func accepted(_ value: String) throws(DataForm.Refusal) -> String {
    switch type {
    case .boolean:
      guard let isSet = XMLBoolean.typed(value) else { throw .notBoolean }
      return isSet ? "1" : "0"
    case .listSingle, .listMulti:
      // A list without options takes any value.
      guard options.isEmpty || options.contains(where: { $0.value == value }) else { throw .notAnOption }
      return value
    case .jidSingle, .jidMulti:
      guard let jid = try? JID(typed: value) else { throw .notAnAddress }
      return jid.description
    case .fixed, .hidden, .textMulti, .textPrivate, .textSingle: return value
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A boolean as XML Schema has it (Part 2, section 3.2.2), and as people type it.
enum XMLBoolean {
  static func read(_ text: String?) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  static func typed(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "on": true
    case "no", "off": false
    default: read(text.lowercased())
    }
  }
}
