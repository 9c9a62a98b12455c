import JSON
import LineProtocol
import XMPPExtensions

// Forms of rooms (XEP-0004), as the line protocol shows and changes them.

extension Request {
  /// The answer of `configure`: a line for each field.
  func answer(_ form: DataForm) -> [UInt8] {
    form.fields.flatMap { field in data("field") { field.write(into: &$0) } }
      + ok { $0.member("count", form.fields.count) }
  }
}

extension DataForm {
  /// The change that a request wants of one field.
  func change(_ field: FieldValues) throws(RequestFailure) -> Change {
    do throws(Refusal) {
      return try change(field.name, to: field.values)
    } catch {
      throw RequestFailure(.badArgument, "the field '\(field.name)' \(words(error, field.name))", argument: "fields")
    }
  }

  private func words(_ refusal: Refusal, _ name: String) -> String {
    switch refusal {
    case .unknownField: "is not in the room's form"
    case .notChangeable: "cannot be set"
    case .notBoolean: "must be yes or no"
    case .notAnOption: "must be one of: \((self[name]?.options ?? []).map(\.value).joined(separator: ", "))"
    case .notAnAddress: "must be a JID"
    case .oneValueOnly: "takes one value"
    case .required: "must have a value"
    }
  }
}

extension DataForm.Field {
  /// Writes the members of the object.
  func write(into writer: inout JSONWriter) {
    if !name.isEmpty { writer.member("name", name) }
    writer.member("type", type.rawValue)
    if let label { writer.member("label", label) }
    if let description { writer.member("description", description) }
    if isRequired { writer.member("required", true) }
    writeValue(into: &writer)
    guard !options.isEmpty else { return }
    writer.array("options") { array in
      for option in options {
        array.beginObject()
        array.member("value", option.value)
        if let label = option.label { array.member("label", label) }
        array.endObject()
      }
    }
  }

  private func writeValue(into writer: inout JSONWriter) {
    switch type {
    case .boolean: writer.member("value", isSet)
    case .jidMulti, .listMulti, .textMulti:
      writer.array("value") { array in for value in values { array.value(value) } }
    case .fixed: writer.member("value", values.joined(separator: "\n"))
    case .hidden, .jidSingle, .listSingle, .textPrivate, .textSingle: writer.member("value", values.first ?? "")
    }
  }

  private var isSet: Bool { values.first == "1" || values.first == "true" }
}
