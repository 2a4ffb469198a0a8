internal import ParticlesCore
internal import ParticlesModel

/// A row of the mapping table of a format that is only read: keys, and the property that they map to.
struct SourceRow<Reader>: Sendable {
  let keys: [String]
  let property: String
  let note: String
  let source: String

  /// nil if another row reads the keys, or none does.
  let decode: (@Sendable (_ reader: Reader, _ emitter: inout Emitter) throws -> Void)?

  init(
    _ keys: [String], _ property: String, _ note: String = "exact", from source: String,
    decode: (@Sendable (_ reader: Reader, _ emitter: inout Emitter) throws -> Void)? = nil
  ) {
    (self.keys, self.property, self.note, self.source) = (keys, property, note, source)
    self.decode = decode
  }
}

/// The mapping table of a format that is only read. Decoding, the table of the Spec and the dictionary
/// of the fuzzer come from it.
struct SourceTable<Reader>: Sendable {
  let rows: [SourceRow<Reader>]
  let sources: [(name: String, title: String)]

  var keys: [String] {
    var seen: Set<String> = []
    return rows.flatMap(\.keys).filter { seen.insert($0).inserted }
  }

  func decode(_ reader: Reader, into emitter: inout Emitter) throws {
    try EmitterCost.spend(onReading: rows.count)
    for row in rows { try row.decode?(reader, &emitter) }
  }

  var markdown: String {
    var lines = ["| Key | Document | | Source |", "|---|---|---|---|"]
    for row in rows {
      let keys = row.keys.map { "`\($0)`" }.joined(separator: ", ")
      let isPath = !row.property.isEmpty && !row.property.contains(" ")
      lines.append(
        "| \(keys) | \(isPath ? "`\(row.property)`" : row.property) | \(row.note) | \(row.source) |"
      )
    }
    return
      (lines + [
        "",
        "Sources: " + sources.map { "**\($0.name)** \($0.title)" }.joined(separator: "; ") + ".",
      ]).joined(separator: "\n")
  }
}
