import ConfabClient
import Screen

/// The files of a message as labelled boxes, in a grid; nothing of them is fetched for that.
struct FileBoxes {
  let context: LayoutContext
  /// The states of files that are being transferred, or that failed, by index.
  let states: [Int: FileState]
  /// All files of the message; several have numbers.
  let count: Int

  /// Lines of facts in a box, and of what went wrong.
  private static let factLines = 2
  private static let troubleLines = 4

  func lines(_ files: [ShownAttachment], width: Int) -> [TextFlow.Line] {
    let grid = FileGrid(count: files.count, width: width)
    let inner = innerWidth(files, in: grid)
    let lines = grid.rows.flatMap { range in row(range, files, inner) }
    let hiddenCount = files.count - FileGrid.mostFiles
    guard hiddenCount > 0 else { return lines }
    let more = OneLine("\(context.symbols.more) \(hiddenCount) more files", width: width, in: context)
    return lines + [line(more.glyphs)]
  }

  /// One line a file, for where boxes do not fit: `[2 cat.gif: moving GIF, 512 KiB]`.
  ///
  /// - Parameter first: the index of the first of these files.
  func plainLines(_ files: [ShownAttachment], from first: Int = 0, width: Int) -> [TextFlow.Line] {
    files.enumerated().flatMap { offset, file in
      let index = first + offset
      let number = count > 1 ? "\(index + 1) " : ""
      let facts = ": \(states[index]?.progress ?? file.facts)"
      let factWidth = OneLine(facts, width: width, in: context).width
      let begin = OneLine("[\(number)\(file.title)", width: max(12, width - factWidth - 1), in: context).glyphs
      let end = OneLine(facts, width: max(0, width - begin.width - 1), in: context).glyphs + letters("]")
      return [line(begin + end)] + trouble(index, width)
    }
  }

  /// Columns between the edges: what the longest name or facts need, as far as there is room.
  private func innerWidth(_ files: [ShownAttachment], in grid: FileGrid) -> Int {
    let room = max(1, grid.boxWidth - 4)
    let texts = files.prefix(FileGrid.mostFiles).enumerated().flatMap { index, file -> [String] in
      let state = states[index]
      return [file.title, file.facts] + [state?.longestProgress, state?.trouble].compactMap(\.self)
    }
    let needed = texts.map { OneLine($0, width: room, in: context).width }
    return max(min(room, FileGrid.narrowest - 4), needed.max() ?? 0)
  }

  /// The boxes that are beside each other.
  private func row(_ range: Range<Int>, _ files: [ShownAttachment], _ inner: Int) -> [TextFlow.Line] {
    let all = range.map { facts(files[$0], $0, inner) }
    let height = all.map(\.count).max() ?? 0
    let boxes = zip(range, all).map { index, facts in
      let name = OneLine(files[index].title, width: inner, in: context).glyphs
      let rows = [name] + facts.map(\.glyphs) + Array(repeating: [], count: height - facts.count)
      return box(rows, number: count > 1 ? "\(index + 1)" : "", inner)
    }
    return (0..<height + 3).map { row in
      line(Array(boxes.map { $0[row] }.joined(separator: letters(" "))))
    }
  }

  /// Lines below the name: the file's kind, or in as many lines how far it is; then what went wrong.
  private func facts(_ file: ShownAttachment, _ index: Int, _ inner: Int) -> [TextFlow.Line] {
    let kind = TextFlow(file.facts, width: inner, limit: Self.factLines, in: context).lines
    guard let progress = states[index]?.progress else { return kind + trouble(index, inner) }
    let lines = TextFlow(progress, width: inner, limit: Self.factLines, in: context).lines
    return lines + Array(repeating: line([]), count: max(0, kind.count - lines.count))
  }

  private func trouble(_ index: Int, _ width: Int) -> [TextFlow.Line] {
    guard let trouble = states[index]?.trouble else { return [] }
    return TextFlow(trouble, width: width, limit: Self.troubleLines, in: context).lines
  }

  private func box(_ rows: [[TextGlyph]], number: String, _ inner: Int) -> [[TextGlyph]] {
    let symbols = context.symbols
    func edge(_ corners: (left: String, right: String), _ label: String) -> [TextGlyph] {
      let rule = String(repeating: symbols.rule, count: inner + 2 - label.count)
      return letters(corners.left + label + rule + corners.right, .faint)
    }
    let bar = letters(symbols.bar, .faint)
    let inside = rows.map { row in
      bar + letters(" ") + row + letters(String(repeating: " ", count: inner - row.width + 1)) + bar
    }
    return [edge(symbols.topCorners, number)] + inside + [edge(symbols.bottomCorners, "")]
  }

  private func letters(_ text: String, _ part: ColourPart? = nil) -> [TextGlyph] {
    Clusters.split(text, context.rules).map { glyph in
      var glyph = TextGlyph(glyph)
      glyph.part = part
      return glyph
    }
  }

  private func line(_ glyphs: [TextGlyph]) -> TextFlow.Line { TextFlow.Line(glyphs: glyphs, isRightToLeft: false) }
}

extension LayoutParts {
  /// The message's own files, in boxes or a line each.
  func fileLines(_ width: Int, inBoxes: Bool) -> [TextFlow.Line] {
    let files = message.details.attachments
    guard !files.isEmpty, message.details.retraction == nil else { return [] }
    return inBoxes ? fileBoxes.lines(files, width: width) : fileBoxes.plainLines(files, width: width)
  }

  var fileBoxes: FileBoxes {
    FileBoxes(context: context, states: flags.fileStates, count: message.details.files.count)
  }

  /// The pictures that are shown.
  var pictureLines: [StyledLine] { message.details.retraction == nil ? flags.pictures.lines : [] }
}
