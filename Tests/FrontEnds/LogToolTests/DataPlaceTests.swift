import TestSupport
import Testing

@testable import LogTool

@Suite("Finding the log for a command")
struct DataPlaceTests {
  @Test("without `data`, the system's configuration means the service's directory, and a user's the user's")
  func system() throws {
    let folder = try TemporaryFolder()
    let account = "[account home]\njid = a@example.test\npassword = x\n"
    let file = try folder.write("system.conf", account)
    var place = DataPlace(environment: ["HOME": folder.path])
    place.system = file
    #expect(try place.directory(configuration: nil) == "/var/lib/confab")
    #expect(try place.directory(configuration: file) == "/var/lib/confab")
    let own = try folder.write("own.conf", account)
    #expect(try place.directory(configuration: own) == folder.path + "/.local/state/confab")
    try folder.write("system.conf", "[daemon]\ndata = /elsewhere\n" + account)
    #expect(try place.directory(configuration: nil) == "/elsewhere")
    place.system = folder.file("none")
    #expect(try place.directory(configuration: nil) == folder.path + "/.local/state/confab")
  }
}
