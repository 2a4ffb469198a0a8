internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// A family of keyed archives whose emitters are objects in a graph.
protocol KeyedFormat: EmitterFormat
where
  Reader == KeyedEmitter<Self>, Field == Archivable, Surroundings == KeyedSurroundings<Place>
{
  /// The position of an emitter in an archive.
  associatedtype Place

  /// The name of the format, for the source bag.
  var name: String { get }

  /// Alternative names of keys in archives of other generations, by the key of the row.
  var aliases: [String: String] { get }

  /// The names of the class of emitters and of its superclasses.
  var classes: [String] { get }

  /// Finds the emitters, in the order of the document, and reports other objects.
  /// - Throws: a diagnostic that names the contents, if there is no emitter.
  func emitters(below root: ArchivedObject, fileName: String) throws(Failure)
    -> [KeyedEmitter<Self>]

  /// Reads properties of the whole effect.
  func read(_ root: ArchivedObject, into system: inout ParticleSystem) throws(Failure)

  /// The image that an emitter names. Nil, after a report, if it has no usable name.
  func image(of emitter: KeyedEmitter<Self>) throws(Failure) -> KeyedImage?

  /// The sprite that shows an image. The decoder knows the index of the image.
  /// - Parameter found: the file of the image, or nil if it cannot be found.
  func sprite(_ image: ImageReference, _ found: FoundImage?, of emitter: KeyedEmitter<Self>)
    throws(Failure) -> Sprite

  /// Width and height in pixels of a missing image, if the archive states them.
  func imageSize(of emitter: KeyedEmitter<Self>) throws(Failure) -> (Int?, Int?)?

  /// Numbers of keys without a reading row that are not reported, because they have no effect.
  var plainNumbers: [String: [Double]] { get }

  /// Keys without a row that have no effect.
  var passedOver: Set<String> { get }

  /// Whether the source bag has all keys of an emitter. Otherwise it has the keys that are not in
  /// the document.
  var bagHoldsAll: Bool { get }

  /// The position of a new emitter.
  /// - Parameters:
  ///   - above: the emitters that it is inside of, the outermost first.
  ///   - origin: the position of the emitter that it replaces, or nil if there is none.
  func place(below above: [Int], over origin: Place?) -> Place

  /// Whether an archive holds all emitters that start by themselves. Otherwise each has its own
  /// archive.
  var holdsAll: Bool { get }

  /// The default name of an emitter.
  func standardName(_ number: Int, isAlone: Bool, fileName: String) -> String

  /// The key of a dictionary that ``EmitterWriter/entries`` belong in, or nil if there is none.
  var dictionaryKey: String? { get }

  func root(of emitters: [Archivable]) -> Archivable

  func top(of system: ParticleSystem) -> [ArchivableObject.Member]

  /// The objects of an archive that change with the effect as a whole, by their places.
  func changes(in archive: OpenedKeyedArchive<Self>, for system: ParticleSystem) -> [KeyedArchive
    .Index:
    ArchivableObject]

  /// The report text for ``ParticleSystem/roots``.
  var rootsDetail: String { get }

  /// The report text for an emitter that only triggers start. Nil if the format supports such emitters.
  var triggeredDetail: String? { get }

  /// The key of the name of an image, and the properties of emitters that its absence changes.
  var imageKey: (key: String, properties: [String]) { get }

  /// The formats of images that the engine is known to read. Nil for the formats of the system.
  var imageFormats: [ImageFormat]? { get }

  /// The suffixes of image file names, by pixels per point.
  var imageSuffixes: [Double: String] { get }

  /// The extensions of files that an archive leaves out of the names of images.
  var impliedExtensions: [String] { get }
}

extension KeyedFormat {
  var randomness: Randomness { .full }
  var aliases: [String: String] { [:] }
  var passedOver: Set<String> { [] }
  var bagHoldsAll: Bool { true }
  var holdsAll: Bool { false }
  var dictionaryKey: String? { nil }
  var triggeredDetail: String? { nil }
  var imageFormats: [ImageFormat]? { nil }
  var imageSuffixes: [Double: String] { [:] }
  var impliedExtensions: [String] { [] }

  func integer(_ number: Int) -> Archivable { .integer(number) }

  func flag(_ flag: Bool) -> Archivable { .bool(flag) }

  func standardName(_ number: Int, isAlone: Bool, fileName: String) -> String {
    Files.stem(of: fileName) + (isAlone ? "" : " \(number + 1)")
  }

  func imageSize(of emitter: KeyedEmitter<Self>) throws(Failure) -> (Int?, Int?)? {
    nil
  }

  func root(of emitters: [Archivable]) -> Archivable { emitters.first ?? .null }

  func top(of system: ParticleSystem) -> [ArchivableObject.Member] { [] }

  func changes(in archive: OpenedKeyedArchive<Self>, for system: ParticleSystem) -> [KeyedArchive
    .Index:
    ArchivableObject]
  { [:] }
}

extension ParticleFormat {
  /// A format of keyed archives, made of a mapping table.
  init<Format: KeyedFormat>(
    _ format: Format, title: String, extensions: [String],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool
  ) {
    self.init(
      name: format.name, title: title, extensions: extensions, recognise: recognise,
      decode: { bytes, context throws(Failure) in
        try KeyedDecoder(format: format, context: context).open(bytes).imported
      },
      encode: { system, context throws(Failure) in
        try KeyedEncoder(format, system, context).encode()
      })
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}

/// The context of rows for an emitter that is written.
struct KeyedSurroundings<Place> {
  let place: Place

  /// The name of the emitter if none is written.
  let standardName: String

  /// The name of its image, as the archive has it, or nil if there is none.
  let imageName: String?
}

struct KeyedImage {
  let path: String
  var references: [String] = []
  /// Its name and its bytes, if the archive holds them.
  var inside: FoundImage?
}

/// An archived object that is an emitter. Callers pass the keys of the rows, and the emitter finds
/// their names in the archive.
struct KeyedEmitter<Format: KeyedFormat>: KeyReader {
  let format: Format
  let object: ArchivedObject

  let name: String
  let place: Format.Place

  /// The name that a key has in the archive.
  func key(_ name: String) -> String {
    guard object.index(of: name) == nil, let other = format.aliases[name],
      object.index(of: other) != nil
    else { return name }
    return other
  }

  func number(_ name: String, _ standard: Double = 0, atLeast least: Double? = nil) -> Double {
    least.map { object.number(key(name), standard, atLeast: $0) }
      ?? object.number(key(name), standard)
  }

  func value(
    _ name: String, width: String? = nil, _ standard: Double = 0, scope: Scope = .particle,
    times factor: Double = 1
  ) -> Value {
    Value(
      center: (number(name, standard) * factor).rounded,
      halfWidth: format.randomness.half(
        ofWidth: number(width ?? name + Format.widthSuffix) * factor), scope: scope)
  }

  func flag(_ name: String, _ standard: Bool = false) -> Bool {
    object.bool(key(name)) ?? standard
  }

  func choice<Choice>(_ name: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    object.choice(key(name), choices, standard)
  }

  func note(
    _ rule: Rule, _ name: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    object.note(rule, key(name), detail, found: found, severity: severity)
  }
}

extension Row where Format: KeyedFormat {
  /// Values that archives always have and that have no effect.
  static func constant(_ keys: [String], _ value: Archivable, _ note: String) -> Row {
    Row(
      keys: keys, property: "", note: note, source: "files",
      encode: { for key in keys { $0.set(key, value) } })
  }
}

/// A family of text files with the keys and values of one emitter each.
protocol FieldFormat: EmitterFormat
where Reader == FieldReader<Self>, Field == FieldValue, Surroundings: Sendable {
  /// The name of the format, for the source bag.
  var name: String { get }

  /// The identity of a key: its spelling by default. Hand-written files may differ in spelling.
  func meaning(of spelling: String) -> String

  /// Reads properties of the whole file, before the emitter is read.
  var asset: Asset { get }

  /// A file has at least one of these keys, with a number as value.
  var rootKeys: [String] { get }

  /// The key of the name of the emitter.
  var nameKey: String { get }

  /// The context of rows for a file that is read.
  func surroundings(of reader: FieldReader<Self>) -> Surroundings

  /// The engine that a file was made for. Nil, by default, if only one engine reads the format.
  /// - Parameter named: the engine that the caller names, or nil to look at the file.
  func engine(of reader: FieldReader<Self>, named: Profile?) -> EngineChoice?

  /// The context of rows for a new file.
  var newSurroundings: Surroundings { get }

  /// The keys of the name of the image and of the image itself as text. Nil, by default, if files
  /// name none.
  var imageKeys: (name: String, data: String)? { get }

  /// The grid of frames that files hold for the grid of a sprite, or nil, the default, for none.
  func grid(for grid: SpriteGrid) -> SpriteGrid?

  /// Reads the grid of frames, or nil, the default, for none.
  func grid(of reader: FieldReader<Self>) -> SpriteGrid?

  /// Whether programs require an image, so that a white image is written. False by default.
  var needsImage: Bool { get }

  /// Decodes an image from the text of its key: base64, by default.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/embeddedImage`` or
  ///   ``ParticlesCore/Rule/image``.
  func unpack(_ text: String, limits: Limits) throws(Failure) -> [UInt8]

  /// The text of an image. Equal images give equal texts.
  func pack(_ image: [UInt8]) -> String
}

extension FieldFormat {
  func key(_ spelling: String) -> FieldKey {
    FieldKey(spelling: spelling, meaning: meaning(of: spelling))
  }

  /// The fields of a file, with different keys. Of equal keys, the correctly spelled key is used,
  /// or else the first. Unused keys are ignored and kept.
  func fields<Value>(of members: [(key: String, value: Value)]) -> [(key: FieldKey, value: Value)] {
    let keys = members.map { (field: key($0.key), isExact: table.contains($0.key)) }
    let exact = Set(keys.lazy.filter { $0.isExact }.map { $0.field })
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

  func unpack(_ text: String, limits: Limits) throws(Failure) -> [UInt8] {
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
    lookAlikes: @autoclosure @escaping @Sendable () -> [ForeignKind] = [],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool
  ) {
    self.init(
      name: format.name, title: title, extensions: extensions, recognise: recognise,
      decode: { bytes, context throws(Failure) in
        try FieldDecoder<Format, Syntax>(format: format, context: context).decode(bytes)
      },
      encode: { system, context throws(Failure) in
        try FieldEncoder<Format, Syntax>(format: format, context: context).encode(system)
      })
    makeLookAlikes = lookAlikes
    decimalCommas = Syntax.decimalCommas
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}

/// The description of a format family that stores emitters as keys and values, for the format kit.
protocol EmitterFormat: Sendable {
  /// The keys and values of one emitter, as rows read them.
  associatedtype Reader: KeyReader
  /// A value, as rows write it.
  associatedtype Field: Hashable
  /// The context of rows besides the emitter, such as the axes of the file.
  associatedtype Surroundings

  /// The mapping table.
  var table: MappingTable<Self> { get }

  /// The sources of the claims in the table, by the short name that rows cite.
  static var sources: [(name: String, title: String)] { get }

  /// The engine, as messages name it: "SceneKit".
  var engine: String { get }

  /// Whether its effects are in the plane, the default, or in space.
  var dimension: Dimension { get }

  /// A finite number as a value. The next two functions take a whole number and a truth value.
  func real(_ number: Double) -> Field
  func integer(_ number: Int) -> Field
  func flag(_ flag: Bool) -> Field

  /// How the format states a uniform range around a number.
  var randomness: Randomness { get }

  /// The distributions over shapes that it supports. By default all but the normal distribution.
  var distributions: Set<Distribution> { get }

  /// Whether particles can have the directions of a part of a circle. By default, if directions can
  /// be the normals of a shape.
  var aimsArcs: Bool { get }

  /// Whether lifetimes below 0 become 0. By default they stay as they are.
  var clampsLives: Bool { get }

  /// Restates the emitter of a writer in terms of the format, and reports the changes, before the
  /// rows write it. By default nothing is restated.
  func adapt(_ writer: inout EmitterWriter<Self>)

  /// The suffix of the key for the width of a range, unless a row states the key.
  static var widthSuffix: String { get }
}

extension EmitterFormat {
  static var widthSuffix: String { "" }

  var distributions: Set<Distribution> { [.uniform, .radialLinear, .projected] }

  var aimsArcs: Bool { table.capabilities[.directionNormal] != .lost }

  var clampsLives: Bool { false }

  func adapt(_ writer: inout EmitterWriter<Self>) {}

  var dimension: Dimension { .plane }

  /// The unit and the profile of the table, and the dimension.
  var asset: Asset {
    var asset = Asset()
    asset.dimension = dimension
    asset.unit = table.capabilities.unit
    asset.profile = table.capabilities.profile
    return asset
  }

  /// The source of the claims of rows that cite none: the first.
  static var source: String { sources[0].name }
}

extension Double {
  /// The number as texts state it: beyond the limit of readers it is the largest that they accept, and
  /// 0 if it is no number.
  var inLimit: Double { ((isNaN ? 0 : Swift.min(Swift.max(self, -1e14), 1e14)) + 0).rounded }
}

/// How a format states a uniform range around a number: by a second key with half of the width or
/// with the full width.
enum Randomness {
  case half, full

  func width(ofHalf half: Double) -> Double { self == .half ? half : 2 * half }

  func half(ofWidth width: Double) -> Double { self == .half ? width : width / 2 }
}

/// The keys and values of one emitter, as rows of a single value read them.
protocol KeyReader {
  /// A number, or a standard one where the key is absent.
  func number(_ key: String, _ standard: Double, atLeast least: Double?) -> Double

  /// A number and the width of the uniform range around it, times a factor.
  func value(_ key: String, width: String?, _ standard: Double, scope: Scope, times factor: Double)
    -> Value

  /// A truth value, or a standard one where the key is absent.
  func flag(_ key: String, _ standard: Bool) -> Bool

  /// Reports a finding about a key.
  func note(_ rule: Rule, _ key: String, _ detail: String, found: String?, severity: Severity?)
}

/// The cost of emitters in the budget of an operation, measured with effects of 1000 emitters.
///
/// The work grows with the number of emitters and their values, not with the bytes of the file. An
/// effect may use a shared object of an archive many times.
enum EmitterCost {
  /// Pays for an emitter that is read by the rows of a table.
  static func spend(onReading rows: Int) throws(Failure) {
    try WorkBudget.spend(work: 2 * rows, memory: 12_000, on: "the emitters that are read")
  }

  /// Pays for emitters that are written, read again, and compared.
  static func spend(onWriting emitters: [Emitter]) throws(Failure) {
    for emitter in emitters {
      let stated = StatedCount(of: emitter)
      try WorkBudget.spend(
        work: 150 + 12 * stated.values + 2 * stated.numbers,
        memory: 10_000 + 400 * stated.values + 60 * stated.numbers,
        on: "the emitters that are written")
    }
  }

  /// Pays for a file that was written, and is read again.
  static func spend(onReadingAgain count: Int) throws(Failure) {
    try WorkBudget.spend(work: count / 32, memory: 3 * count, on: "the bytes that are written")
  }

  /// Pays for the search for an image by some names, and for its place in the document.
  static func spend(onSearching names: Int) throws(Failure) {
    try WorkBudget.spend(
      work: 50 * names, memory: 2_000 * names, on: "the images that are searched for")
  }

  /// Pays for the bytes of a file.
  static func spend(onBytes count: Int) throws(Failure) {
    try WorkBudget.spend(work: count / 32, on: "the bytes that are read")
  }
}

/// How much an emitter states, without the data of other programs.
private struct StatedCount {
  /// Values of properties.
  private(set) var values = 0
  /// Numbers in arrays: keys of curves, stops of gradients, points, vectors.
  private(set) var numbers = 0

  init(of emitter: Emitter) {
    var plain = emitter
    if !plain.additions.isEmpty { plain.additions = JSONObject() }
    count(plain.json, isElement: false)
  }

  private mutating func count(_ value: JSONValue, isElement: Bool) {
    switch value {
    case .object(let object): for member in object.members { count(member.value, isElement: false) }
    case .array(let elements): for element in elements { count(element, isElement: true) }
    default: if isElement { numbers += 1 } else { values += 1 }
    }
  }
}
