import Testing
import XML
import XMPPExtensions

@Suite struct XEP0059ResultSetManagementTests {
  static func written(_ page: ResultSet.Page, max: Int = 10) throws -> String {
    var writer = XMLWriter()
    writer.open("query")
    ResultSet.write(page, max: max, into: &writer)
    writer.close()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func everyPageCanBeAskedFor() throws {
    let rsm = "<set xmlns='http://jabber.org/protocol/rsm'><max>10</max>"
    #expect(try Self.written(.first) == "<query>\(rsm)</set></query>")
    #expect(try Self.written(.last) == "<query>\(rsm)<before/></set></query>")
    #expect(try Self.written(.after("a<b")) == "<query>\(rsm)<after>a&lt;b</after></set></query>")
    #expect(try Self.written(.before("a")) == "<query>\(rsm)<before>a</before></set></query>")
  }

  static func bounds(_ content: String) throws -> ResultSet.Bounds? {
    ResultSet.Bounds(in: try element("<fin><set xmlns='http://jabber.org/protocol/rsm'>\(content)</set></fin>"))
  }

  @Test func whereAPageBeginsAndEndsIsRead() throws {
    let whole = try #require(try Self.bounds("<first index='0'>1</first><last>9</last><count>800</count>"))
    #expect(whole.first == "1")
    #expect(whole.last == "9")
    let empty = try #require(try Self.bounds("<count>0</count>"))
    #expect(empty.first == nil && empty.last == nil)
    #expect(try ResultSet.Bounds(in: element("<fin><set><first>1</first></set></fin>")) == nil)
  }

  @Test func anIDThatIsNoneOrTooLongCountsAsNone() throws {
    let long = String(repeating: "x", count: ResultSet.longestID + 1)
    #expect(try Self.bounds("<first/><last>\(long)</last>")?.first == nil)
    #expect(try Self.bounds("<first/><last>\(long)</last>")?.last == nil)
  }
}
