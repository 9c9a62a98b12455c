import Glibc
import Synchronization

/// The functions of libhunspell, where it is installed. It is loaded by name, so that nothing needs it and who does not check
/// the spelling does not pay for it. hunspell(3), dlopen(3)
///
/// All C pointers of the spelling stay in this file. The handle of a dictionary is owned by `HunspellHandle`.
@safe struct HunspellLibrary {
  private typealias Create = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> OpaquePointer?
  fileprivate typealias Destroy = @convention(c) (OpaquePointer) -> Void
  fileprivate typealias Spell = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> CInt
  fileprivate typealias Encoding = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  fileprivate typealias List = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  fileprivate typealias Suggest =
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<List?>, UnsafePointer<CChar>
    ) -> CInt
  fileprivate typealias FreeList = @convention(c) (OpaquePointer, UnsafeMutablePointer<List?>, CInt) -> Void

  private static let name = "libhunspell-1.7.so.0"

  /// Held while a dictionary is made or freed: the library counts them for a table that all share, without a lock.
  fileprivate static let counting = Mutex(())

  private let create: Create
  fileprivate let destroy: Destroy
  fileprivate let spell: Spell
  fileprivate let encoding: Encoding
  fileprivate let suggest: Suggest
  fileprivate let freeList: FreeList

  /// nil if the library is not installed. It stays loaded for as long as the process lives.
  init?() {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    guard
      let create = unsafe dlsym(library, "Hunspell_create"), let destroy = unsafe dlsym(library, "Hunspell_destroy"),
      let spell = unsafe dlsym(library, "Hunspell_spell"),
      let encoding = unsafe dlsym(library, "Hunspell_get_dic_encoding"),
      let suggest = unsafe dlsym(library, "Hunspell_suggest"),
      let freeList = unsafe dlsym(library, "Hunspell_free_list")
    else { return nil }
    unsafe self.create = unsafeBitCast(create, to: Create.self)
    unsafe self.destroy = unsafeBitCast(destroy, to: Destroy.self)
    unsafe self.spell = unsafeBitCast(spell, to: Spell.self)
    unsafe self.encoding = unsafeBitCast(encoding, to: Encoding.self)
    unsafe self.suggest = unsafeBitCast(suggest, to: Suggest.self)
    unsafe self.freeList = unsafeBitCast(freeList, to: FreeList.self)
  }

  /// Reads a dictionary: tens of milliseconds, and some megabytes. nil if Hunspell cannot.
  func open(affixes: String, words: String) -> HunspellHandle? {
    let handle = unsafe Self.counting.withLock { _ in unsafe create(affixes, words) }
    return unsafe handle.map { unsafe HunspellHandle(self, $0) }
  }
}

/// A dictionary that Hunspell has read; freed with this object. One thread at a time uses it.
@safe final class HunspellHandle {
  private let library: HunspellLibrary
  private let handle: OpaquePointer

  fileprivate init(_ library: HunspellLibrary, _ handle: OpaquePointer) {
    self.library = library
    unsafe self.handle = handle
  }

  deinit { HunspellLibrary.counting.withLock { _ in unsafe library.destroy(handle) } }

  /// The encoding of its words, by the name that the dictionary has for it.
  var encoding: String { unsafe library.encoding(handle).map { unsafe String(cString: $0) } ?? "UTF-8" }

  /// True if a word is spelled right.
  ///
  /// - Parameter word: in the encoding of the dictionary, without a zero.
  func accepts(_ word: [UInt8]) -> Bool {
    unsafe library.spell(handle, Self.text(word)) != 0
  }

  /// Words that may be meant, best first, in the encoding of the dictionary.
  func suggestions(_ word: [UInt8]) -> [[UInt8]] {
    var list: HunspellLibrary.List?
    let count = unsafe library.suggest(handle, &list, Self.text(word))
    defer { unsafe library.freeList(handle, &list, count) }
    guard let words = unsafe list, count > 0 else { return [] }
    return (0..<Int(count)).compactMap { index in
      unsafe words[index].map { word in
        unsafe UnsafeBufferPointer(start: word, count: strlen(word)).map(UInt8.init(bitPattern:))
      }
    }
  }

  private static func text(_ word: [UInt8]) -> [CChar] { word.map(CChar.init(bitPattern:)) + [0] }
}

/// Texts from one encoding into another. iconv(3)
@safe final class TextConverter {
  private let descriptor: iconv_t

  /// nil if the C library does not know one of the encodings.
  init?(from: String, to: String) {
    let made = unsafe iconv_open(to, from)
    // (iconv_t)-1 stands for a failure.
    guard let made = unsafe made, Int(bitPattern: made) != -1 else { return nil }
    unsafe descriptor = made
  }

  deinit { unsafe iconv_close(descriptor) }

  /// nil if a letter has no form in the other encoding.
  func convert(_ text: [UInt8]) -> [UInt8]? {
    var input = text.map(CChar.init(bitPattern:))
    var output = [CChar](repeating: 0, count: 4 * text.count + 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let failed = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        var from = source.baseAddress
        var into = target.baseAddress
        return unsafe iconv(descriptor, &from, &inputLeft, &into, &outputLeft) == -1
      }
    }
    return failed ? nil : output[..<(output.count - outputLeft)].map(UInt8.init(bitPattern:))
  }
}
