import JSON
import TestSupport
import Testing

@Suite("A search in a real daemon")
struct SearchTests {
  @Test("over the socket and by the command")
  func search() throws {
    let folder = try TemporaryFolder("search")
    let daemon = try Daemon(in: folder)
    let client = try daemon.client()
    for text in ["Grüße aus der Straße", "nothing of it", "DIE STRASSE"] {
      #expect(try client.request("send bob@example.test \(text)").isOK)
    }
    let answer = try client.request("search strasse")
    #expect(answer.isOK)
    #expect(answer.data.map { $0["message"]?.text("text") } == ["DIE STRASSE", "Grüße aus der Straße"])
    let command = [Products.program("confab"), "--socket", daemon.socketPath]
    let found = try Program.run(command + ["search", "--limit=1", "straße"])
    #expect(found.status == .exited(0))
    #expect(found.text.contains("me: DIE STRASSE") && !found.text.contains("Grüße"))
  }
}
