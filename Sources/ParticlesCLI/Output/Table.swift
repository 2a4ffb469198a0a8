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
