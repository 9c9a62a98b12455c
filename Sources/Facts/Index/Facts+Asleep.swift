import Bytes
import Conversations
import Records

// What a checkpoint says of conversations that are not in memory: field 1 the account, 2 how many of their messages nobody
// has read, 3 (many) a run: 24 bytes for each page.
extension Facts {
  func writeAsleep(_ account: AccountFacts, unread: Int, into writer: inout FieldWriter) {
    guard let runs = account.conversations.asleep?.runs, !runs.isEmpty else { return }
    writer.message(Field.asleep) {
      $0.uint(1, UInt64(account.record.number))
      $0.uint(2, UInt64(max(0, unread)))
      for run in runs {
        $0.message(3) { for page in run.pages { Self.write(page, into: &$0) } }
      }
    }
  }

  /// False where it cannot be.
  func readAsleep(_ reader: inout FieldReader) throws(FieldError) -> Bool {
    var (account, unread): (UInt32, Int) = (0, 0)
    var runs: [SleepingRun] = []
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: unread = Int(clamping: try reader.uint())
      case 3:
        let pages = try reader.message { inner throws(FieldError) in try Self.readPages(&inner) }
        guard !pages.isEmpty, zip(pages, pages.dropFirst()).allSatisfy({ $0.first <= $1.first }) else { return false }
        runs.append(SleepingRun(pages: pages))
      default: break
      }
    }
    guard let conversations = accounts[account]?.conversations else { return true }
    guard let asleep = conversations.asleep else { return false }
    asleep.restore(runs)
    conversations.unread += unread
    return true
  }

  private static func write(_ page: SleepingPage, into writer: inout FieldWriter) {
    writer.fixed64(1, page.first)
    writer.fixed64(2, UInt64(bitPattern: page.newest))
    writer.fixed64(3, UInt64(page.page.number) << 32 | UInt64(page.page.checksum))
    writer.uint(4, UInt64(page.count))
  }

  private static func readPages(_ reader: inout FieldReader) throws(FieldError) -> [SleepingPage] {
    var pages: [SleepingPage] = []
    var page = SleepingPage(first: 0, page: IndexPage(number: 0, checksum: 0), count: 0, newest: .min)
    while let field = try reader.next() {
      switch field {
      case 1: page.first = try reader.fixed64()
      case 2: page.newest = Int64(bitPattern: try reader.fixed64())
      case 3:
        let place = try reader.fixed64()
        page.page = IndexPage(number: UInt32(place >> 32), checksum: UInt32(truncatingIfNeeded: place))
      case 4:
        page.count = try reader.uint(UInt16.self)
        pages.append(page)
      default: break
      }
    }
    return pages
  }
}
