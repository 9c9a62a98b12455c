import JSON

/// Parses the JSON form: an object with `verb`, options and arguments by their names, and `text`.
enum JSONRequestParser {
  static func parse(_ line: String, _ rights: Rights) -> Result<Request, RequestFailure> {
    let bytes = Array(line.utf8)
    do throws(JSONError) {
      let object = try JSONParser.parse(bytes, maximumDepth: Limits.depth)
      let members = object.members ?? []
      return Result { () throws(RequestFailure) in try request(members, rights) }
        .mapError { $0.tagged(object["tag"].flatMap { RequestTag($0) }) }
    } catch {
      return .failure(failure(error).tagged(rescuedTag(bytes)))
    }
  }

  private static func failure(_ error: JSONError) -> RequestFailure {
    switch error {
    case .loneSurrogate, .invalidUTF8: RequestFailure(.badEncoding, error.reason)
    case .duplicateMember(let name):
      RequestFailure(
        .badArgument, "member '\(RequestParser.shortened(name))' is given twice",
        argument: RequestParser.shortened(name))
    default: RequestFailure(.badArgument, error.reason)
    }
  }

  /// The tag of an object that is well formed but for lone surrogates and double members.
  private static func rescuedTag(_ bytes: [UInt8]) -> RequestTag? {
    (try? JSONParser.parse(bytes, maximumDepth: Limits.depth, isLenient: true))?["tag"].flatMap { RequestTag($0) }
  }

  private static func request(_ members: [JSONMember], _ rights: Rights) throws(RequestFailure) -> Request {
    guard case .string(let name)? = members.first(where: { $0.name == "verb" })?.value else {
      throw RequestFailure(.badArgument, "the request needs a member 'verb', a string", argument: "verb")
    }
    var request = Request(try RequestParser.row(named: name, rights))
    for member in members where member.name != "verb" { try take(member, into: &request) }
    for argument in request.row.arguments where request.needs(argument) && request.arguments[argument.name] == nil {
      throw WordsParser.missing(argument.name, of: request.verb)
    }
    try RequestParser.check(request)
    return request
  }

  private static func take(_ member: JSONMember, into request: inout Request) throws(RequestFailure) {
    let row = request.row
    switch member.name {
    case "tag": request.tag = try tag(member.value)
    case "account": request.account = try ValueReader.account(try string(member))
    case "text" where row.text != nil: request.text = try string(member)
    default:
      if let option = OptionName(rawValue: member.name).flatMap(row.option) {
        request.options[option.name] = try ValueReader.read(member.value, option.kind, member.name)
      } else if let argument = row.arguments.first(where: { $0.name.rawValue == member.name }) {
        request.arguments[argument.name] = try ValueReader.read(member.value, argument.kind, member.name)
      } else {
        let name = RequestParser.shortened(member.name)
        throw RequestFailure(.badArgument, "\(row.verb.rawValue) has no member '\(name)'", argument: name)
      }
    }
  }

  private static func tag(_ value: JSONValue) throws(RequestFailure) -> RequestTag {
    guard let tag = RequestTag(value) else {
      throw RequestFailure(
        .badArgument, "tag must be an integer, or a string of at most \(Limits.tag) bytes", argument: "tag")
    }
    return tag
  }

  private static func string(_ member: JSONMember) throws(RequestFailure) -> String {
    guard case .string(let text) = member.value else {
      throw RequestFailure(.badArgument, "\(member.name) must be a string", argument: member.name)
    }
    return text
  }
}
