import Syscalls
import Testing

@Suite("The formats of a locale")
struct LocaleFormatsTests {
  @Test("are those of the C library; a locale that is not installed has none")
  func formats() throws {
    let formats = try #require(LocaleFormats.of("C"))
    #expect(formats == LocaleFormats(date: "%m/%d/%y", time: "%H:%M:%S"))
    #expect(LocaleFormats.of("xx_XX.UTF-8") == nil)
  }
}
