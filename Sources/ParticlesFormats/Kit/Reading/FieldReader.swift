internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The keys and values of one emitter of a text file.
///
/// Every accessor returns nil where the key is absent or empty. For a value of another type it
/// returns nil too and reports ``Rule/emitterValue``. This is a class, because all rows report to
/// one list.
final class FieldReader<Format: FieldFormat>: KeyReader {
  let format: Format
  private(set) var diagnostics: [Diagnostic] = []

  private let fields: [(key: FieldKey, value: FieldValue)]
  private let places: [FieldKey: Int]

  private(set) lazy var surroundings = format.surroundings(of: self)

  /// The engine that the file was made for. Nil if only one engine reads the format.
  private(set) lazy var engine = format.engine(of: self, named: named)

  private let named: Profile?

  /// - Parameter named: the engine that the caller names, or nil to find it by the file.
  init<Syntax: FieldSyntax>(_ file: Syntax, _ format: Format, engine named: Profile? = nil) {
    self.named = named
    let fields = format.fields(of: file.members).map { (key: $0.key, value: Syntax.read($0.value)) }
    self.fields = fields
    self.format = format
    places = Dictionary(first: fields.indices.map { (fields[$0].key, $0) })
  }

  private func field(_ name: String) -> (key: FieldKey, value: FieldValue)? {
    places[format.key(name)].map { fields[$0] }
  }

  func has(_ name: String) -> Bool { field(name) != nil }

  /// A finite number, however it is spelled. A number with the precision of a float becomes the
  /// shortest number that gives this float again.
  func number(_ name: String) -> Double? {
    guard let (key, value) = field(name) else { return nil }
    let number: Double? = if case .flag(let on) = value { on ? 1 : 0 } else { value.number }
    guard let number, number.magnitude < 1e15 else {
      mismatch(key, expected: "a number", found: value.excerpt)
      return nil
    }
    return number.tidy
  }

  func integer(_ name: String) -> Int? { number(name).map { Int(saturating: $0) } }

  /// A truth value, usually spelled 0 or 1.
  func flag(_ name: String) -> Bool? {
    switch field(name)?.value {
    case .text(let text)? where ["true", "YES"].contains(text.trimmed): true
    case .text(let text)? where ["false", "NO"].contains(text.trimmed): false
    default: number(name).map { $0 != 0 }
    }
  }

  /// A text that is not empty.
  func text(_ name: String) -> String? {
    guard let (key, value) = field(name) else { return nil }
    guard case .text(let text) = value else {
      mismatch(key, expected: "text", found: value.excerpt)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  func number(_ name: String, _ standard: Double, atLeast least: Double? = nil) -> Double {
    max(number(name) ?? standard, least ?? -.infinity)
  }

  /// A number in other units or with its sign changed, or 0, without a sign, where the key is absent.
  func number(_ name: String, times factor: Double) -> Double {
    (number(name) ?? 0) * factor + 0
  }

  func flag(_ name: String, _ standard: Bool) -> Bool { flag(name) ?? standard }

  func value(
    _ name: String, width: String? = nil, _ standard: Double = 0, scope: Scope = .particle,
    times factor: Double = 1
  ) -> Value {
    let value = value(
      (number(name) ?? standard) * factor, width: width ?? name + Format.widthSuffix)
    return format.table.range(of: name).map(value.clamped) ?? value
  }

  func value(_ center: Double, width: String) -> Value {
    Value(
      center: (center + 0).rounded, halfWidth: format.randomness.half(ofWidth: number(width) ?? 0))
  }

  func note(
    _ rule: Rule, _ name: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    let spelling = field(name)?.key.spelling ?? name
    diagnostics.add(rule, at: .key(spelling.excerpt), detail, found: found, severity: severity)
  }

  /// Reports that the image that a key names was not found.
  func note(missing finding: Diagnostic, _ name: String) {
    var finding = finding
    finding.location = .key((field(name)?.key.spelling ?? name).excerpt)
    diagnostics.append(finding)
  }

  /// Reports a problem of the embedded image.
  func note(_ fault: Diagnostic, _ name: String) {
    diagnostics.add(
      .embeddedImage, at: .key(name), fault.rule == .embeddedImage ? fault.detail : fault.message,
      expected: fault.rule == .embeddedImage ? fault.expected : nil,
      found: fault.rule == .embeddedImage ? fault.found : nil)
  }

  private func mismatch(_ key: FieldKey, expected: String, found: String) {
    let finding = Diagnostic(
      .emitterValue, at: .key(key.spelling.excerpt), expected: expected, found: found)
    // A key may be asked for more than once.
    if !diagnostics.contains(finding) { diagnostics.append(finding) }
  }

  /// Reports every key that no row of the table has.
  func reportRest() {
    var rest = fields.filter { key, _ in
      !key.isComment && (key.isUnrelated || !format.table.contains(key.spelling))
    }
    if !rest.isEmpty {
      let known = Set(format.table.keys.map(format.key))
      rest.removeAll { known.contains($0.key) }
    }
    for (key, value) in rest.prefix(findingsKept) {
      diagnostics.add(.uninterpreted, at: .key(key.spelling.excerpt), found: value.excerpt)
    }
    if rest.count > findingsKept {
      diagnostics.add(
        .uninterpreted, "keys that are not listed", found: "\(rest.count - findingsKept)")
    }
  }

  private var findingsKept: Int { 100 }
}

/// Decodes an effect from a text file with one emitter.
struct FieldDecoder<Format: FieldFormat, Syntax: FieldSyntax> {
  let format: Format
  let context: DecodingContext

  func decode(_ bytes: [UInt8]) throws(Failure) -> Imported {
    try decode(Syntax(decoding: bytes, limits: context.limits), bytes)
  }

  func decode(_ file: Syntax, _ bytes: [UInt8]) throws(Failure) -> Imported {
    let reader = FieldReader(file, format, engine: context.engine)
    guard format.rootKeys.contains(where: { reader.number($0) != nil }) else {
      let kind = context.formats.foreign(bytes, fileName: context.fileName)
      throw Diagnostic(
        .emitterRoot, expected: format.rootKeys.map { "'\($0)'" }.joined(separator: " or "),
        found: kind?.found ?? "neither", hint: kind?.hint)
    }
    var system = ParticleSystem()
    system.asset = format.asset
    if let engine = reader.engine { system.asset.profile = engine.profile }
    system.asset.name = Files.stem(of: context.fileName)
    var emitter = try format.table.emitter(
      named: reader.text(format.nameKey) ?? Files.stem(of: context.fileName), from: reader)
    var images = ImportedImages(context: context)
    if let image = try reader.addImage(to: &system, &images, context) {
      var sprite = Sprite(image: image)
      sprite.grid = format.grid(of: reader)
      emitter.sprites = [images.index(of: sprite, in: &system)]
    }
    system.emitters = [emitter]
    if context.keepsSource {
      reader.reportRest()
      system.keepSource(
        bytes, of: format.name, context, ["encoding": ["container": .string(file.encoding)]],
        bag: bag(of: file))
    }
    var imported = Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: file.findings + reader.diagnostics + images.unread)
    imported.engine = reader.engine
    return imported
  }

  private func bag(of file: Syntax) -> JSONValue {
    var spellings: Set<[UInt8]> = []
    return .object(
      JSONObject(
        members: file.members.prefix(SourceBag.values).compactMap { key, value in
          guard spellings.insert(Array(key.utf8)).inserted else { return nil }
          return .init(key: key, value: Syntax.typed(value))
        }))
  }
}

/// How many values of a file rows have read, and how many no row has.
struct ReadCount {
  var read = 0
  var rest = 0

  static func += (a: inout ReadCount, b: ReadCount) {
    a.read += b.read
    a.rest += b.rest
  }

  /// The loss of a whole file that has values but no known value.
  var finding: Diagnostic? {
    guard read == 0, rest > 0 else { return nil }
    var finding = Diagnostic(
      .uninterpreted, "no value of the file is known, so that the effect is made of defaults",
      found: rest == 1 ? "1 value" : "\(rest) values",
      hint: "it may be of another version of the program: open it there, and save it again")
    finding.loss = Loss(feature: "values", level: .high, path: "emitters")
    finding.loss?.basis = .estimated
    return finding
  }
}

extension SpriteGrid {
  /// The grid that numbers of a file state, with at most 65,536 columns and rows. Nil for a single frame.
  init?(columns: Double?, rows: Double?) {
    self.init(columns: Self.whole(columns ?? 1), rows: Self.whole(rows ?? 1))
    if self.columns == 1, self.rows == 1 { return nil }
  }

  static func whole(_ number: Double) -> Int { Int(saturating: min(max(number, 1), 65536)) }
}
