internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats

/// Text in columns as wide as their widest cells, separated by two spaces.
package struct Table: Sendable {
  /// The alignment of a column.
  package enum Alignment: Sendable { case left, right }

  private let columns: [Alignment]
  private var rows: [[String]] = []

  /// Creates a table without rows.
  package init(_ columns: Alignment...) { self.columns = columns }

  /// Creates a table without rows.
  package init(columns: [Alignment]) { self.columns = columns }

  /// Adds a row. Missing cells are empty. Control characters are escaped.
  package mutating func add(_ cells: String...) { add(row: cells) }

  /// Adds a row, see ``add(_:)``.
  package mutating func add(row cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].escapingControls : "" })
  }

  /// The rows, each ending in a line feed. Empty without rows. No line ends in a space.
  package var text: String {
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.reduce(into: "") { text, row in
      // Blanks are written when a cell follows: a line may have hundreds behind its last cell.
      var blanks = 0
      for (column, cell) in row.enumerated() {
        let missing = widths[column] - cell.count
        blanks += (column > 0 ? 2 : 0) + (columns[column] == .right ? missing : 0)
        if !cell.isEmpty {
          text += String(repeating: " ", count: blanks) + cell
          blanks = 0
        }
        if columns[column] == .left { blanks += missing }
      }
      while text.last == " " { text.removeLast() }
      text += "\n"
    }
  }
}

extension String {
  /// The paragraphs of this text, separated by empty lines, each as one line.
  var paragraphs: [String] {
    let lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.split { $0.allSatisfy { $0 <= UInt8(ascii: " ") } }.map { lines in
      lines.flatMap { $0.words }.joined(separator: " ")
    }
  }

  /// The words of this text on lines of at most `width` columns. A longer word has a line of its own.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in utf8[...].words {
      let length = word.utf8.allSatisfy { $0 < 0x80 } ? word.utf8.count : word.count
      if columns > 0, columns + 1 + length <= width {
        line += " "
        line += word
        columns += 1 + length
      } else {
        if columns > 0 { lines.append(line) }
        (line, columns) = (String(word), length)
      }
    }
    if columns > 0 { lines.append(line) }
    return lines
  }
}

extension Substring.UTF8View {
  /// The parts between spaces. In UTF-8, a byte of another character is never a space.
  fileprivate var words: [Substring] {
    split(separator: UInt8(ascii: " ")).map { Substring($0) }
  }
}

extension StringProtocol {
  /// This text with some characters replaced.
  func writing(_ spellings: [Character: String]) -> String {
    reduce(into: "") { text, character in
      if let spelling = spellings[character] {
        text += spelling
      } else {
        text.append(character)
      }
    }
  }
}

/// The capabilities of each format that can be written.
struct CapabilityMatrix {
  private let columns: [(name: String, capabilities: Capabilities)] = FormatRegistry.standard
    .formats
    .compactMap {
      format in format.capabilities.map { (format.name, $0) }
    }

  /// A row for each capability, a column for each format.
  var text: String {
    var table = Table(columns: columns.map { _ in .left } + [.left, .left])
    for capability in Capability.all {
      let cells = columns.map { $0.capabilities[capability].sign }
      table.add(row: cells + [capability.id, capability.title])
    }
    var heads = ""
    // The names of formats are wider than their columns, so each has its own line above the table.
    for (index, column) in columns.enumerated() {
      heads += String(repeating: "|  ", count: index) + column.name + "\n"
    }
    return heads + table.text
  }

  var json: JSONValue {
    [
      "version": .int(1),
      "capabilities": .array(
        Capability.all.map { capability in
          var formats = JSONObject()
          for column in columns {
            formats[column.name] = .string(column.capabilities[capability].rawValue)
          }
          return [
            "feature": .string(capability.id), "title": .string(capability.title),
            "weight": .string(capability.weight.rawValue), "formats": .object(formats),
          ]
        }),
    ]
  }
}

extension Capabilities.Support {
  /// Its sign in a table.
  fileprivate var sign: String {
    switch self {
    case .exact: "="
    case .approximated: "~"
    case .lost: "-"
    }
  }
}

extension EffectDescription {
  /// The most rows of a table, and the most images that were not found.
  private static let mostRows = 50

  /// The description for a terminal.
  /// - Parameter isWhole: whether everything is listed. Otherwise, each table has 50 rows, and many findings are listed
  ///   as their ten heaviest causes.
  func text(isWhole: Bool) -> String {
    let most = isWhole ? Int.max : Self.mostRows
    var table = Table(.left, .left)
    for fact in facts { table.add(fact.label, fact.value) }
    let images = missing.prefix(most).map { image, searched in
      "\(image)\(searched.map { ", not in \($0)" } ?? "")"
    }
    return table.text
      + Self.section(
        "emitters", ["", "name", "emits", "lives", "alive", "shape", "blend", "shows"],
        emitters(most), of: counts.emitters,
        Table(.right, .left, .left, .left, .right, .left, .left, .left))
      + Self.section(
        "textures", ["path", "pixels", "file", "memory"], textures(most), of: counts.textures,
        Table(.left, .left, .right, .right))
      + Self.list(
        "images that were not found; name their folder with --images",
        images + Self.rest(of: missing.count, after: images.count))
      + Self.list("without effect", ignoredKeys(isWhole: isWhole))
      + Self.list("not imported exactly", losses(isWhole: isWhole))
  }

  private static func section(
    _ heading: String, _ columns: [String], _ rows: [[String]], of count: Int, _ table: Table
  ) -> String {
    var table = table
    table.add(row: columns)
    for row in rows { table.add(row: row) }
    let lines = rows.isEmpty ? [] : table.text.split(separator: "\n").map { String($0) }
    return list(heading, lines + rest(of: count, after: rows.count))
  }

  private static func list(_ heading: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\n\(heading)\n" + lines.map { "  \($0)\n" }.joined()
  }

  /// A line with the number of unlisted things.
  private static func rest(of count: Int, after listed: Int) -> [String] {
    count > listed ? ["and \((count - listed).grouped) others (--verbose shows all)"] : []
  }
}
