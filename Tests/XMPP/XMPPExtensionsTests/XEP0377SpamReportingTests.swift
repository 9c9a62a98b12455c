import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0377SpamReportingTests {
  private func item(_ report: AbuseReport) throws -> Element? {
    try element(BlockList.block(JID("romeo@example.net"), report, id: "1"))
      .child("block", "urn:xmpp:blocking")?.child("item", "urn:xmpp:blocking")
  }

  @Test(arguments: AbuseReport.Reason.allCases)
  func aReportStandsInTheItemOfTheBlock(_ reason: AbuseReport.Reason) throws {
    let item = try #require(try item(AbuseReport(reason)))
    #expect(item.attribute("jid") == "romeo@example.net")
    let report = try #require(item.child("report", "urn:xmpp:reporting:1"))
    #expect(report.attribute("reason") == "urn:xmpp:reporting:\(reason)")
    // No text, no message, and no right to forward it.
    #expect(report.children.reduce(0) { count, _ in count + 1 } == 0)
  }

  @Test func theTextIsEscaped() throws {
    let text = "Never came <trouble/> & \"such\" 🙁\nto my house."
    let report = try item(AbuseReport(.abuse, text: text))?.child("report", "urn:xmpp:reporting:1")
    #expect(report?.child("text", "urn:xmpp:reporting:1")?.text == text)
  }
}
