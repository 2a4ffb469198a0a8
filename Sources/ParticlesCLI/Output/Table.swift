internal import ParticlesCore

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

  /// Adds a row. Missing cells are empty; control characters are escaped.
  package mutating func add(_ cells: String...) { add(row: cells) }

  /// Adds a row; see ``add(_:)``.
  package mutating func add(row cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].escapingControls : "" })
  }

  /// The rows, each ending in a line feed; empty if there are none. No line ends in a space.
  package var text: String {
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.reduce(into: "") { text, row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line +=
          (column > 0 ? "  " : "") + (columns[column] == .left ? cell + blanks : blanks + cell)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
  }
}
