internal import ParticlesDocuments

extension EffectDescription {
  /// The description for a terminal.
  var text: String {
    var table = Table(.left, .left)
    for fact in facts { table.add(fact.label, fact.value) }
    return table.text
      + Self.section(
        "emitters", ["", "name", "emits", "lives", "alive", "shape", "blend", "shows"], emitters,
        Table(.right, .left, .left, .left, .right, .left, .left, .left))
      + Self.section(
        "textures", ["path", "pixels", "file", "memory"], textures,
        Table(.left, .left, .right, .right))
      + (missing.isEmpty
        ? ""
        : "\nimages that were not found; name their folder with --images\n"
          + missing.map { "  \($0.image)\($0.searched.map { ", not in \($0)" } ?? "")\n" }.joined())
      + (ignoredKeys.isEmpty
        ? "" : "\nwithout effect\n" + ignoredKeys.map { "  \($0)\n" }.joined())
      + (losses.isEmpty
        ? "" : "\nnot imported exactly\n" + losses.map { "  \($0)\n" }.joined())
  }

  private static func section(
    _ heading: String, _ columns: [String], _ rows: [[String]], _ table: Table
  ) -> String {
    guard !rows.isEmpty else { return "" }
    var table = table
    table.add(row: columns)
    for row in rows { table.add(row: row) }
    return "\n\(heading)\n" + table.text.split(separator: "\n").map { "  \($0)\n" }.joined()
  }
}
