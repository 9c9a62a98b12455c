import JSON
import LogTool
import Syscalls

/// `confabd --addresses`, which prepares addresses for `confab log import`; started when the first one comes.
final class AddressProgram {
  private static let patience: Int64 = 10_000

  private var child: ChildProgram?

  func prepare(_ address: String, _ isTyped: Bool) -> PreparedAddress {
    do throws(Errno) {
      if child == nil { child = try DaemonProgram.start(["--addresses"], isWrittenTo: true) }
      try child?.write(Self.question(address, isTyped))
      guard case .line(let line)? = try child?.readLine(milliseconds: Self.patience), let answer = Self.answer(line)
      else { return .unknown("\(DaemonProgram.path) does not answer") }
      return answer
    } catch {
      return .unknown("\(DaemonProgram.path) cannot be run: \(error.text)")
    }
  }

  private static func question(_ address: String, _ isTyped: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if isTyped { writer.member("typed", address) } else { writer.member("written", address) }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  private static func answer(_ line: [UInt8]) -> PreparedAddress? {
    let object = try? JSONParser.parse(line)
    if let address = object?["address"]?.string { return .address(address) }
    return object?["reason"]?.string.map { .wrong($0) }
  }
}
