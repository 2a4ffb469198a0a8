internal import ParticlesCore
internal import ParticlesModel

/// A row of a mapping table: keys of a format that belong together, and the property of the
/// document that they map to.
///
/// Decoding, encoding, the column of the capability matrix, the table on the page of the format in
/// the Spec and the dictionary of the fuzzer come from the rows.
struct Row<Format: EmitterFormat>: Sendable {
  typealias Decode =
    @Sendable (_ reader: Format.Reader, _ emitter: inout Emitter) throws(Failure) -> Void
  /// Writes the property as keys, and reports differences that the keys cannot express.
  typealias Encode = @Sendable (_ writer: inout EmitterWriter<Format>) -> Void

  /// The keys, as the format spells them. None for a property that the format does not support.
  var keys: [String] = []

  /// The property: its path in an emitter, or its text in the Spec.
  var property: String

  /// The accuracy, for the Spec: "exact".
  var note = "exact"

  /// The source of the claim, by its short name in the table.
  var source = ""

  var exact: Set<Capability> = []

  /// The features that the row approximates, or writes exactly in some cases only.
  var approximated: Set<Capability> = []

  /// The features that the format supports only in part, even if other rows write them.
  var incomplete: Set<Capability> = []

  /// The range to which the engine clamps each number that it samples from the keys and their
  /// widths. Decoding and encoding apply it. Nil for none.
  var range: Interval?

  /// Keys of the row that an engine of the format does not read.
  var unread: [UnreadKey<Format>] = []

  /// Whether the engine derives the rate of emission from the number in this row.
  var derivesRate = false

  /// nil if another row reads the keys, or none does.
  var decode: Decode?

  /// nil if another row writes the keys, or none does.
  var encode: Encode?
}

extension Row {
  /// A row with a custom function for each direction.
  static func idiom(
    _ keys: [String], _ property: String, _ note: String = "exact",
    from source: String = Format.source, exact: Set<Capability> = [],
    approximated: Set<Capability> = [], decode: Decode? = nil, encode: Encode? = nil
  ) -> Row {
    Row(
      keys: keys, property: property, note: note, source: source, exact: exact,
      approximated: approximated, decode: decode, encode: encode)
  }

  /// This row for keys whose samples the engine clamps.
  /// - Parameter source: the sources of the claim, by the short names that rows cite.
  func clamped(to range: Interval, from source: String) -> Row {
    var row = self
    row.range = range
    let bounds =
      range.upper == .infinity
      ? "at least \(shortText(range.lower))"
      : "from \(shortText(range.lower)) to \(shortText(range.upper))"
    row.note += ". Each sample is \(bounds)"
    row.source += ", \(source)"
    return row
  }

  /// This row for the capacity that the engine divides by the lifetime to get the rate of emission.
  var derivingRate: Row {
    var row = self
    row.derivesRate = true
    return row
  }

  /// A key that is read or kept, and never written.
  static func ignored(_ keys: [String], _ note: String, from source: String = Format.source) -> Row
  {
    Row(keys: keys, property: "", note: note, source: source)
  }

  /// A property that the format does not support: a line of the report if the document uses it.
  /// - Parameters:
  ///   - path: a path of ``LostProperty``, which gives the values that are nil here.
  ///   - detail: the effect of the loss.
  ///   - rule: ``ParticlesCore/Rule/dead`` for a property without effect in the format.
  ///   - capability: the row of the capability matrix that it belongs to.
  ///   - level: the severity.
  ///   - when: the emitters that the row applies to. All by default.
  static func missing(
    _ path: String, _ detail: String? = nil, rule: Rule? = nil, as capability: Capability? = nil,
    level: Loss.Level? = nil, when condition: (@Sendable (EmitterWriter<Format>) -> Bool)? = nil
  ) -> Row {
    let property = LostProperty(path, detail, rule, capability, level)
    return Row(
      property: path,
      note: "\(property.rule == .dead ? "no effect" : "lost"): \(property.detail)",
      incomplete: property.rule == .lost ? [property.capability] : [],
      encode: { if condition?($0) ?? true { $0.drop(property) } })
  }

  /// Properties that the format does not support, as described by ``LostProperty``.
  static func missing(_ paths: [String]) -> [Row] { paths.map { missing($0) } }

  static func value(
    _ key: String, width: String? = nil, _ property: String,
    _ access: @escaping Accessor<Emitter, Value>, _ capability: Capability, standard: Double = 0,
    _ note: String = "exact", from source: String = Format.source
  ) -> Row {
    Row(
      keys: [key, width ?? key + Format.widthSuffix], property: property, note: note,
      source: source, exact: [capability],
      decode: { reader, emitter in
        access(&emitter) {
          $0 = reader.value(key, width: width, standard, scope: .particle, times: 1)
        }
      },
      encode: { $0.set(key, width: width, $0.value(access, over: 0), capability, at: property) })
  }

  static func number(
    _ key: String, _ property: String,
    _ access: @escaping Accessor<Emitter, Double>, standard: Double = 0,
    atLeast least: Double? = nil, exact: Set<Capability> = [], _ note: String = "exact",
    from source: String = Format.source
  ) -> Row {
    Row(
      keys: [key], property: property, note: note, source: source, exact: exact,
      decode: { reader, emitter in
        access(&emitter) { $0 = reader.number(key, standard, atLeast: least) }
      },
      encode: { $0.set(key, $0.value(access, over: 0)) })
  }

  static func flag(
    _ key: String, _ property: String,
    _ access: @escaping Accessor<Emitter, Bool>, standard: Bool = false, _ note: String = "exact",
    from source: String = Format.source
  ) -> Row {
    Row(
      keys: [key], property: property, note: note, source: source,
      decode: { reader, emitter in access(&emitter) { $0 = reader.flag(key, standard) } },
      encode: { $0.set(key, flag: $0.value(access, over: false)) })
  }
}

/// The rows of a mapping table, made at its first use. The type does not depend on the format.
private class MappingContents: @unchecked Sendable {}

private final class MadeContents: Sendable {
  let contents = Lock<MappingContents?>(nil)
}

/// The mapping table of a format. Its rows are made at the first use, as most runs need the tables
/// of two formats. It is a structure, because generic classes cost more: for each format, the
/// runtime makes a class at the first instance and searches all conformances.
struct MappingTable<Format: EmitterFormat>: Sendable {
  /// The rows, with values computed from them.
  private final class Contents: MappingContents, @unchecked Sendable {
    let rows: [Row<Format>]
    let capabilities: Capabilities
    let supportedKeys: Set<String>
    let nameKeys: Set<String>
    let places: [String: Int]
    let ranges: [String: Interval]
    let unread: [UnreadKey<Format>]

    init(
      _ rows: [Row<Format>], unit: LengthUnit, profiles: [Profile], exact: Set<Capability>,
      approximated: Set<Capability>
    ) {
      self.rows = rows
      var (exact, approximated) = (exact, approximated)
      for row in rows {
        exact.formUnion(row.exact)
        approximated.formUnion(row.approximated)
      }
      approximated.formUnion(rows.flatMap { $0.incomplete }.filter(exact.contains))
      var capabilities = Capabilities(
        unit: unit, profile: profiles[0], exact: exact.subtracting(approximated),
        approximated: approximated)
      capabilities.profiles = profiles
      capabilities.derivesRate = rows.contains(where: { $0.derivesRate })
      self.capabilities = capabilities
      supportedKeys = Set(rows.filter { !$0.property.isEmpty }.flatMap { $0.keys })
      nameKeys = Set(rows.filter { $0.property.hasPrefix("name of") }.flatMap { $0.keys })
      var places: [String: Int] = [:]
      for key in rows.lazy.flatMap({ $0.keys }) where places[key] == nil {
        places[key] = places.count
      }
      self.places = places
      var ranges: [String: Interval] = [:]
      for row in rows { for key in row.keys { ranges[key] = row.range } }
      self.ranges = ranges
      unread = rows.flatMap { $0.unread }
    }
  }

  /// The contents, once made.
  private let made = MadeContents()

  private let make: @Sendable () -> Contents

  /// - Parameters:
  ///   - unit: the unit of length of the files.
  ///   - profile: the engine whose law effects of the format follow.
  ///   - others: other engines that read the files, by laws of their own.
  ///   - exact: capabilities that are written exactly outside emitters.
  ///   - approximated: capabilities that are approximated outside emitters.
  ///   - rows: the rows, in the order in which they are read and written.
  init(
    unit: LengthUnit, profile: Profile = .neutral, others: [Profile] = [],
    exact: Set<Capability> = [], approximated: Set<Capability> = [],
    _ rows: @autoclosure @escaping @Sendable () -> [Row<Format>]
  ) {
    make = {
      Contents(
        rows(), unit: unit, profiles: [profile] + others, exact: exact,
        approximated: approximated)
    }
  }

  private var contents: Contents {
    let made = made.contents.withLock { made in
      made = made ?? make()
      return made
    }
    return made.map { unsafeDowncast($0, to: Contents.self) } ?? make()
  }

  /// The rows, in the order in which they are read and written.
  var rows: [Row<Format>] { contents.rows }

  var capabilities: Capabilities { contents.capabilities }

  /// The keys of the rows that have a property.
  var supportedKeys: Set<String> { contents.supportedKeys }

  private var places: [String: Int] { contents.places }

  /// The emitter that a reader's keys state.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it is one too many for the budget of the operation.
  func emitter(named name: String, from reader: Format.Reader) throws(Failure) -> Emitter {
    try EmitterCost.spend(onReading: rows.count)
    var emitter = Emitter(name: name)
    for row in rows { try row.decode?(reader, &emitter) }
    for key in contents.unread { key.report(reader) }
    return emitter
  }

  /// The range to which the engine clamps samples of a key, or nil for none.
  func range(of key: String) -> Interval? { contents.ranges[key] }

  var keys: [String] { places.sorted { $0.value < $1.value }.map { $0.key } }

  /// Whether a row has a key with this spelling.
  func contains(_ key: String) -> Bool { places[key] != nil }

  /// Whether a row reads more from a key than a name.
  func readsValue(_ key: String) -> Bool { contains(key) && !contents.nameKeys.contains(key) }

  func place(of key: String) -> Int {
    let places = contents.places
    return places[key] ?? places.count
  }

  /// The keys whose rows, or whose claims that an engine does not read them, cite none of the sources of the
  /// format.
  var uncited: [String] {
    let names = Set(Format.sources.map { $0.name })
    func isCited(_ source: String) -> Bool {
      let cited = source.split(separator: ",").map { $0.drop { $0 == " " } }
      return !cited.isEmpty && cited.allSatisfy { names.contains(String($0)) }
    }
    return rows.filter { !$0.keys.isEmpty && !isCited($0.source) }.flatMap { $0.keys }
      + contents.unread.filter { !isCited($0.source) || !contains($0.spelling) }.map { $0.key }
  }

  /// The tables of the Spec: keys and properties, the sources, keys that engines do not read, and unsupported
  /// properties.
  var markdown: String {
    func code(_ text: String) -> String {
      text.contains(" ") || text.contains("`") ? text : "`\(text)`"
    }
    var lines = ["| Key | Document | | Source |", "|---|---|---|---|"]
    for row in rows where !row.keys.isEmpty {
      let keys = row.keys.map { "`\($0)`" }.joined(separator: ", ")
      let property = row.property.isEmpty ? "" : code(row.property)
      lines.append("| \(keys) | \(property) | \(row.note) | \(row.source) |")
    }
    lines += [
      "",
      "Sources: " + Format.sources.map { "**\($0.name)** \($0.title)" }.joined(separator: ". ")
        + ".",
    ]
    if !contents.unread.isEmpty {
      lines += ["", "| Key without effect [`convert/ignored`] | Not read by | | Source |"]
      lines += ["|---|---|---|---|"] + contents.unread.map { $0.markdown }
    }
    let missing = rows.filter { $0.keys.isEmpty && !$0.property.isEmpty }
    lines += ["", "| Not in the format | |", "|---|---|"]
    lines += missing.map { "| \(code($0.property)) | \($0.note) |" }
    return lines.joined(separator: "\n")
  }
}

extension Row {
  /// Rows for all properties of emitters that a format does not support.
  /// - Parameter supported: the properties that other rows write.
  static func unsupported(besides supported: Set<String>) -> [Row] {
    catalog.filter { !supported.contains($0.property) }
      + ["triggers", "physics"].filter { !supported.contains($0) }.map(loss)
  }

  /// Rows for some properties that a format does not support.
  static func unsupported(_ properties: Set<String>) -> [Row] {
    catalog.filter { properties.contains($0.property) }
  }

  private static func loss(of property: String) -> Row {
    if property == "triggers" {
      return missingTriggers("sub-emitters are not supported, so that the emitter starts by itself")
    }
    return .idiom(
      [], "physics", "lost: physics of the scene is not supported", encode: { $0.losePhysics() })
  }

  private static var catalog: [Row] {
    emissionCatalog + motionCatalog + lookCatalog
  }

  private static var emissionCatalog: [Row] {
    missing([
      "enabled", "timing.delay", "timing.idle", "timing.loop", "timing.prewarm", "timing.speed",
      "timing.fixedStep", "emission.ratePerDistance", "emission.minAlive",
    ]) + [
      .idiom(
        [], "emission.maxAlive",
        "approximated: with a constant rate, the rate at which as many are alive. Otherwise lost",
        encode: { $0.dropLimit() }),
      .idiom(
        [], "emission.total",
        "approximated: with a constant rate, the time in which as many are emitted. Otherwise lost",
        approximated: [.total],
        encode: { writer in
          writer.drop(
            "emission.total",
            "a particle total is supported with a rate only, without bursts, pauses and prewarming")
        }),
    ]
      + missing([
        "emission.probability", "emission.explosiveness", "emission.jitter", "emission.lifeOffset",
        "emission.schedule", "space",
      ]) + [
        .idiom(
          [], "transform", "lost: the place of the emitter belongs to the program",
          encode: { writer in
            guard writer.emitter.transform != Emitter.Transform() else { return }
            writer.lose(
              .lost, .place, at: "transform", "the place of the emitter belongs to the program",
              level: .medium)
          })
      ] + missing(["transform.angle", "transform.rotation", "transform.scale"])
  }

  private static var motionCatalog: [Row] {
    ["placement", "distribution", "sweep"].map {
      missing(
        "shape.\($0)", when: { $0.emitter.shape.kind == .point && !$0.hasLine(at: "shape") })
    }
      + missing([
        "launch.inheritVelocity", "launch.flatness", "motion.orbitVelocity", "motion.orbitAxis",
        "motion.drift", "motion.maxSpeed", "motion.direction",
      ]) + [
        .missing("motion.orbit", when: { $0.emitter.motion.mode == .orbit }),
        .missing(
          "motion.orbit", "the motion mode does not use it", rule: .dead,
          when: { $0.emitter.motion.mode != .orbit }),
        .missing("motion.path", when: { $0.emitter.motion.mode == .path }),
        .missing(
          "motion.path", "the motion mode does not use it", rule: .dead,
          when: { $0.emitter.motion.mode != .path }),
        .missing("motion.mode"),
        .missing("motion.speedMode", when: { $0.emitter.motion.speed == nil }),
        .missing("motion.speed"),
      ]
  }

  private static var lookCatalog: [Row] {
    missing([
      "size.height", "size.aspect", "size.stretch", "rotation.velocity", "rotation.acceleration",
      "rotation.align",
    ]) + [
      .missing("rotation.alignOffset", when: { $0.emitter.rotation.align != .none }),
      .missing(
        "rotation.alignOffset", "without alignment the offset has no effect", rule: .dead,
        when: { $0.emitter.rotation.align == .none }),
      .missing("rotation.axis"),
    ] + missingFrames
      + missing([
        "render.sort", "render.billboard", "render.billboardAxis", "render.z", "render.lit",
        "render.soft", "render.blackPass", "render.writesDepth", "render.layer", "render.order",
        "render.trail", "render.links",
      ])
  }
}

extension Row where Format: TreeFormat {
  /// A uniform value as two numbers, the least and the greatest.
  static func range(
    _ low: String, _ high: String, _ property: String,
    _ access: @escaping Accessor<Emitter, Value>, _ capability: Capability, standard: Double = 0,
    scope: Scope = .particle, times factor: Double = 1, _ note: String = "exact",
    from source: String = Format.source
  ) -> Row {
    Row(
      keys: [low, high], property: property, note: note, source: source, exact: [capability],
      decode: { reader, emitter in
        access(&emitter) { $0 = reader.range(low, high, standard, scope: scope, times: factor) }
      },
      encode: { writer in
        let (least, most) = writer.bounds(
          of: writer.value(access, over: 0), capability, at: property, scope: scope)
        writer.set(low, (factor < 0 ? most : least) / factor)
        writer.set(high, (factor < 0 ? least : most) / factor)
      })
  }
}

extension ParticleFormat {
  /// The properties of emitters that the format does not hold, by their paths in an emitter, with
  /// the effect of the loss. Empty for archives and formats that are only read.
  package var missingProperties: [(path: String, detail: String)] {
    guard canWrite, let capabilities else { return [] }
    return LostProperty.all.filter { capabilities[$0.capability] == .lost && $0.rule == .lost }
      .map { ($0.path, $0.detail) }
  }
}
