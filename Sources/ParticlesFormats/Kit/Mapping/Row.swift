internal import ParticlesCore
internal import ParticlesModel

/// A row of a mapping table: keys of a format that make one statement, and the property of the
/// document that it becomes.
///
/// Decoding, encoding, the column of the capability matrix, the table on the page of the format in
/// the Spec and the dictionary of the fuzzer come from the rows.
struct Row<Format: EmitterFormat>: Sendable {
  /// Reads the keys into an emitter.
  typealias Decode = @Sendable (_ reader: Format.Reader, _ emitter: inout Emitter) throws -> Void
  /// Writes the property as keys, and reports what the keys cannot say.
  typealias Encode = @Sendable (_ writer: inout EmitterWriter<Format>) -> Void

  /// The keys, as the format spells them; none for a property that the format does not have.
  var keys: [String] = []

  /// The property: its path in an emitter, or what the Spec says of it.
  var property: String

  /// How well both agree, for the Spec: "exact".
  var note = "exact"

  /// Where the claim comes from: one of the sources of the table.
  var source = ""

  /// What the row writes exactly.
  var exact: Set<Capability> = []

  /// What it writes by something similar, or exactly in some cases only.
  var approximated: Set<Capability> = []

  /// nil if another row reads the keys, or nothing does.
  var decode: Decode?

  /// nil if another row writes the keys, or nothing does.
  var encode: Encode?
}

extension Row {
  /// A row of which a function in each direction knows more than a table can say.
  static func idiom(
    _ keys: [String], _ property: String, _ note: String = "exact",
    from source: String = Format.source, exact: Set<Capability> = [],
    approximated: Set<Capability> = [], decode: Decode? = nil,
    encode: Encode? = nil
  ) -> Row {
    Row(
      keys: keys, property: property, note: note, source: source, exact: exact,
      approximated: approximated, decode: decode, encode: encode)
  }

  /// A key that is read or kept, and never written.
  static func ignored(_ keys: [String], _ note: String, from source: String = "") -> Row {
    Row(keys: keys, property: "", note: note, source: source)
  }

  /// A property that the format does not have: a line of the report if the document uses it.
  /// - Parameters:
  ///   - property: the path of the property in an emitter.
  ///   - path: where it is.
  ///   - capability: the row of the capability matrix that it belongs to.
  ///   - detail: what happens without it.
  ///   - rule: ``ParticlesCore/Rule/dead`` for a property without effect in the format.
  ///   - level: how much that changes; by the capability unless given.
  ///   - when: in which emitters the row counts; all by default.
  static func missing<T: Equatable & Sendable>(
    _ property: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Emitter, T>,
    _ capability: Capability, _ detail: String, _ rule: Rule = .lost, level: Loss.Level? = nil,
    when condition: (@Sendable (EmitterWriter<Format>) -> Bool)? = nil
  ) -> Row {
    Row(
      property: property, note: "\(rule == .dead ? "no effect" : "lost"): \(detail)",
      encode: { writer in
        guard condition?(writer) ?? true else { return }
        writer.drop(path(), capability, at: property, detail, rule, level: level)
      })
  }
}

/// The rows of a format.
struct MappingTable<Format: EmitterFormat>: Sendable {
  /// The rows, in the order in which they are read and written.
  let rows: [Row<Format>]

  /// What the format writes, and how well.
  let abilities: Abilities

  /// The place of each key in the order of the rows.
  private let places: [String: Int]

  /// - Parameters:
  ///   - unit: the unit of length of the files.
  ///   - exact: what is written exactly outside of emitters.
  ///   - approximated: what is written by something similar outside of emitters.
  init(
    unit: LengthUnit, exact: Set<Capability> = [], approximated: Set<Capability> = [],
    _ rows: [Row<Format>]
  ) {
    self.rows = rows
    var (exact, approximated) = (exact, approximated)
    for row in rows {
      exact.formUnion(row.exact)
      approximated.formUnion(row.approximated)
    }
    abilities = Abilities(
      unit: unit, exact: exact.subtracting(approximated), approximated: approximated)
    places = Dictionary(
      rows.flatMap(\.keys).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Every key, in the order of the rows.
  var keys: [String] { places.keys.sorted { place(of: $0) < place(of: $1) } }

  /// The place of a key in the order of the rows.
  func place(of key: String) -> Int { places[key] ?? places.count }

  /// The table of the Spec.
  var markdown: String {
    func cell(_ keys: [String]) -> String { keys.map { "`\($0)`" }.joined(separator: ", ") }
    let lines = rows.filter { !$0.keys.isEmpty }.map { row in
      let property =
        row.property.isEmpty || row.property.contains(" ") || row.property.contains("`")
        ? row.property : "`\(row.property)`"
      return "| \(cell(row.keys)) | \(property) | \(row.note) | \(row.source) |"
    }
    let missing = rows.filter { $0.keys.isEmpty && !$0.property.isEmpty && $0.exact.isEmpty }
      .map { "| `\($0.property)` | \($0.note) |" }
    return
      (["| Key | Document | | Source |", "|---|---|---|---|"] + lines
      + ["", "| Not in the format | |", "|---|---|"] + missing).joined(separator: "\n") + "\n"
  }
}
