internal import ParticlesDocuments

extension EffectDescription {
  /// The most rows of a table, and the most images that were not found.
  private static let mostRows = 50

  /// The description for a terminal.
  /// - Parameter isWhole: whether everything is listed; otherwise, 50 rows of each table, and of many findings
  ///   their ten heaviest causes.
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

  /// A line for those of a number of things that are not listed.
  private static func rest(of count: Int, after listed: Int) -> [String] {
    count > listed ? ["and \((count - listed).grouped) others (--verbose shows all)"] : []
  }
}
