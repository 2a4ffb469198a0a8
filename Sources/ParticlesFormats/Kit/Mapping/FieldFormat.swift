internal import ParticlesCore
internal import ParticlesModel

/// A family of text files with the keys and values of one emitter each.
protocol FieldFormat: EmitterFormat
where Reader == FieldReader<Self>, Field == FieldValue, Surroundings: Sendable {
  /// The name of the format, for the source bag.
  var name: String { get }

  /// The identity of a key: its spelling by default. Hand-written files may differ in spelling.
  func meaning(of spelling: String) -> String

  /// Reads properties of the whole file, before the emitter is read.
  var asset: Asset { get }

  /// The keys of which a file has at least one as a number.
  var rootKeys: [String] { get }

  /// The key of the name of the emitter.
  var nameKey: String { get }

  /// The context of rows for a file that is read.
  func surroundings(of reader: FieldReader<Self>) -> Surroundings

  /// The engine that a file was made for; nil, by default, if only one reads the format.
  /// - Parameter named: the engine that the caller names; nil to look at the file.
  func engine(of reader: FieldReader<Self>, named: Profile?) -> EngineChoice?

  /// The context of rows for a new file.
  var newSurroundings: Surroundings { get }

  /// The keys of the name of the image and of the image itself as text; nil, by default, if files
  /// name none.
  var imageKeys: (name: String, data: String)? { get }

  /// The grid of frames that files hold for the grid of a sprite; nil, by default, for none.
  func grid(for grid: SpriteGrid) -> SpriteGrid?

  /// Reads the grid of frames; nil, by default, for none.
  func grid(of reader: FieldReader<Self>) -> SpriteGrid?

  /// Whether programs require an image, so that a white one is written; false by default.
  var needsImage: Bool { get }

  /// Decodes an image from the text of its key: base64, by default.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/embeddedImage`` or
  ///   ``ParticlesCore/Rule/image``.
  func unpack(_ text: String, limits: Limits) throws -> [UInt8]

  /// The text of an image. Equal images give equal texts.
  func pack(_ image: [UInt8]) -> String
}

extension FieldFormat {
  func key(_ spelling: String) -> FieldKey {
    FieldKey(spelling: spelling, meaning: meaning(of: spelling))
  }

  /// The fields of a file, with different keys: of equal keys, the one with the correct spelling
  /// or, if there is none, the first is used. The others are ignored and kept.
  func fields<Value>(of members: [(key: String, value: Value)]) -> [(key: FieldKey, value: Value)] {
    let keys = members.map { (field: key($0.key), isExact: table.contains($0.key)) }
    let exact = Set(keys.lazy.filter(\.isExact).map(\.field))
    var seen = Set<FieldKey>(minimumCapacity: keys.count)
    return zip(keys, members).map { key, member in
      if (key.isExact || !exact.contains(key.field)) && seen.insert(key.field).inserted {
        return (key.field, member.value)
      }
      return (FieldKey(spelling: member.key, meaning: "//" + member.key), member.value)
    }
  }

  var randomness: Randomness { .half }
  var imageKeys: (name: String, data: String)? { nil }
  var needsImage: Bool { false }

  func grid(for grid: SpriteGrid) -> SpriteGrid? { nil }

  func grid(of reader: FieldReader<Self>) -> SpriteGrid? { nil }

  func meaning(of spelling: String) -> String { spelling }

  func engine(of reader: FieldReader<Self>, named: Profile?) -> EngineChoice? { nil }

  func unpack(_ text: String, limits: Limits) throws -> [UInt8] {
    try [UInt8](base64: text, rule: .embeddedImage)
  }

  func pack(_ image: [UInt8]) -> String { image.base64 }

  func integer(_ number: Int) -> FieldValue { .integer(number) }

  func flag(_ flag: Bool) -> FieldValue { .flag(flag) }

  func real(_ number: Double) -> FieldValue { .real(number.inLimit) }
}

extension FieldFormat where Surroundings == Void {
  var newSurroundings: Void { () }

  func surroundings(of reader: FieldReader<Self>) {}
}

extension ParticleFormat {
  /// A format of text files with one emitter each, made of a mapping table and a language.
  init<Format: FieldFormat, Syntax: FieldSyntax>(
    _ format: Format, in syntax: Syntax.Type, title: String, extensions: [String],
    lookAlikes: @autoclosure @escaping @Sendable () -> [LookAlike] = [],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool
  ) {
    self.init(
      name: format.name, title: title, extensions: extensions, recognise: recognise,
      decode: { try FieldDecoder<Format, Syntax>(format: format, context: $1).decode($0) },
      encode: { try FieldEncoder<Format, Syntax>(format: format, context: $1).encode($0) })
    makeLookAlikes = lookAlikes
    decimalCommas = Syntax.decimalCommas
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}
