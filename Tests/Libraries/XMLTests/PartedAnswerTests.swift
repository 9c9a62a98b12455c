import TestSupport
import Testing

@testable import XML

/// Answers that are delivered in parts, each as soon as it is complete.
@Suite struct PartedAnswerTests {
  private static let start = "<iq type='result' id='r1' to='a@b/c'><query xmlns='jabber:iq:roster' ver='7'>"

  private static func items(_ pieces: [ArraySlice<UInt8>], limits: StreamLimits = .authenticated) -> [StreamItem] {
    let parser = StreamParser(limits: limits)
    parser.partedAnswerIDs = ["r1"]
    var items: [StreamItem] = []
    for piece in pieces { parser.feed(piece, into: &items) }
    return items
  }

  @Test func partsAreTheSameHoweverTheBytesCome() throws {
    let text =
      opening + "<a/>" + Self.start + " <item jid='b@x'><group>f &amp; g</group></item>\n<item jid='c@x' name='C'/> "
      + "</query></iq><b/>"
    let (items, differences) = feedEveryWay(Array(text.utf8)) { Self.items($0) }
    #expect(differences.isEmpty)
    guard items.count == 7, case .answerBegins(let iq) = items[2], case .answerPart(let first) = items[3],
      case .answerPart(let second) = items[4]
    else {
      Issue.record("\(items)")
      return
    }
    let query = try #require(iq.children.first { _ in true })
    #expect(iq.local == "iq" && iq.attribute("id") == "r1")
    #expect(query.attribute("ver") == "7" && query.children.first { _ in true } == nil)
    #expect(first.attribute("jid") == "b@x" && first.children.first { _ in true }?.text == "f & g")
    #expect(second.attribute("name") == "C")
    #expect(items[5] == .answerEnds && items[6].element?.local == "b")
  }

  @Test func othersAreWhole() {
    let others = [
      "<iq type='result' id='r2'><query><item/></query></iq>", "<iq type='error' id='r1'><query><item/></query></iq>",
      "<message type='result' id='r1'><query><item/></query></message>", "<iq type='result' id='r1'><query/></iq>",
      "<iq type='result' id='r1'/>",
    ]
    for other in others { #expect(Self.items([Array((opening + other).utf8)[...]]).last?.element != nil, "\(other)") }
  }

  @Test func aSecondAnswerIsWhole() {
    let answer = Self.start + "<item/></query></iq>"
    let items = Self.items([Array((opening + answer + answer).utf8)[...]])
    #expect(items.count { $0 == .answerEnds } == 1)
    #expect(items.last?.element?.attribute("id") == "r1")
  }

  @Test func anyNumberOfPartsIsHeldOneAtATime() {
    let parser = StreamParser()
    parser.partedAnswerIDs = ["r1"]
    var items: [StreamItem] = []
    parser.feed(Array((opening + Self.start).utf8), into: &items)
    var (parts, mostHeld) = (0, 0)
    for number in 0..<100_000 {
      parser.feed(Array("<item jid='contact-\(number)@example.org' name='Contact \(number)'/>".utf8), into: &items)
      parts += items.count { if case .answerPart = $0 { true } else { false } }
      mostHeld = max(mostHeld, parser.heldBytes)
      items = []
    }
    parser.feed(Array("</query></iq>".utf8), into: &items)
    #expect(parts == 100_000 && items == [.answerEnds])
    #expect(mostHeld < 4_096, "\(mostHeld)")
  }

  @Test func oneOverItsLimitIsSkippedAndNamed() {
    let limits = StreamLimits(stanzaBytes: 400, partedBytes: 2_000)
    let item = "<item jid='\(String(repeating: "x", count: 100))@x'/>"
    func play(_ count: Int) -> [StreamItem] {
      let text = opening + Self.start + String(repeating: item, count: count) + "</query></iq><after/>"
      let (items, differences) = feedEveryWay(Array(text.utf8), splitLimit: 0) { Self.items($0, limits: limits) }
      #expect(differences.isEmpty)
      return items
    }
    #expect(play(10).suffix(2).first == .answerEnds)
    let over = play(30)
    guard case .refused(let refused)? = over.suffix(2).first else {
      Issue.record("\(over.suffix(2))")
      return
    }
    #expect(refused.name == "iq" && refused.id == "r1" && refused.bytes > 3_000)
    #expect(over.last?.element?.local == "after")
  }
}
