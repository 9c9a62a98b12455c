import Bytes
import Timelines
/// A record of sorted runs (`SortedRuns`), and the form in which pages hold it.
protocol RunRecord {
  /// How full a page is.
  associatedtype Extent: RunPageExtent where Extent.Record == Self

  /// The hash by which the record is found; several records may have the same.
  var key: UInt64 { get }
  /// The order in which all records can be visited (`SortedRuns.visitHighest`).
  var rank: Int64 { get }
  /// How many records of one key are kept: the first ones in their order.
  static var mostOfKey: Int { get }

  /// True if this record comes before another one: by their keys first.
  func precedes(_ other: Self) -> Bool
  /// True if both records have the same subject: the one in the newest run counts.
  func isSame(as other: Self) -> Bool

  /// The page with these records, which fit on one.
  static func pack(_ records: [Self], _ extent: Extent) -> [UInt8]
  /// All records of a page.
  static func unpack(_ page: [UInt8]) throws(FieldError) -> [Self]
  /// Calls `body` with the page's records of a key until it returns false; whether all had their turn.
  static func visit(_ key: UInt64, on page: [UInt8], _ body: (Self) -> Bool) throws(FieldError) -> Bool
}

/// How full a page is.
protocol RunPageExtent {
  associatedtype Record

  init()
  /// Bytes of the page.
  var size: Int { get }
  mutating func add(_ record: Record)
}

/// A page to be written.
typealias WrittenPage = (page: IndexPage, bytes: [UInt8])
