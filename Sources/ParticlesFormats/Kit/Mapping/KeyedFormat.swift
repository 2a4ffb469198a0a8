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
  func emitters(below root: ArchivedObject, fileName: String) throws -> [KeyedEmitter<Self>]

  /// Reads properties of the whole effect.
  func read(_ root: ArchivedObject, into system: inout ParticleSystem) throws

  /// The image that an emitter names; nil, after a report, if it has no usable name.
  func image(of emitter: KeyedEmitter<Self>) throws -> KeyedImage?

  /// The sprite that shows an image; the decoder knows the index of the image.
  /// - Parameter found: the file of the image; nil if it cannot be found.
  func sprite(_ image: ImageReference, _ found: FoundImage?, of emitter: KeyedEmitter<Self>)
    throws -> Sprite

  /// Width and height in pixels of a missing image, if the archive states them.
  func imageSize(of emitter: KeyedEmitter<Self>) throws -> (Int?, Int?)?

  /// Numbers of keys without a reading row that are not reported, because they have no effect.
  var plainNumbers: [String: [Double]] { get }

  /// Keys without a row that have no effect.
  var passedOver: Set<String> { get }

  /// Whether the source bag has all keys of an emitter, and not only those that are not in the
  /// document.
  var bagHoldsAll: Bool { get }

  /// The position of a new emitter.
  /// - Parameters:
  ///   - above: the emitters that it is inside of, the outermost first.
  ///   - origin: the position of the emitter that it replaces; nil if there is none.
  func place(below above: [Int], over origin: Place?) -> Place

  /// Whether an archive holds all emitters that start by themselves; otherwise there is one archive
  /// for each.
  var holdsAll: Bool { get }

  /// The default name of an emitter.
  func standardName(_ number: Int, isAlone: Bool, fileName: String) -> String

  /// The key of a dictionary that ``EmitterWriter/entries`` belong in; nil if there is none.
  var dictionaryKey: String? { get }

  func root(of emitters: [Archivable]) -> Archivable

  func top(of system: ParticleSystem) -> [ArchivableObject.Member]

  /// The objects of an archive that change with the effect as a whole, by their places.
  func changes(in archive: OpenedKeyedArchive<Self>, for system: ParticleSystem) -> [KeyedArchive
    .Index:
    ArchivableObject]

  /// The report text for ``ParticleSystem/roots``.
  var rootsDetail: String { get }

  /// The report text for an emitter that only triggers start; nil if the format supports them.
  var triggeredDetail: String? { get }

  /// The key of the name of an image, and the properties of emitters that its absence changes.
  var imageKey: (key: String, properties: [String]) { get }

  /// The formats of images that the engine is known to read; nil for those of the system.
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

  func imageSize(of emitter: KeyedEmitter<Self>) throws -> (Int?, Int?)? { nil }

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
      decode: { try KeyedDecoder(format: format, context: $1).open($0).imported },
      encode: { try KeyedEncoder(format, $0, $1).encode() })
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}

/// The context of rows for an emitter that is written.
struct KeyedSurroundings<Place> {
  let place: Place

  /// The name of the emitter if none is written.
  let standardName: String

  /// The name of its image, as the archive has it; nil if there is none.
  let imageName: String?
}

struct KeyedImage {
  let path: String
  var references: [String] = []
  /// Its name and its bytes, if the archive holds them.
  var inside: FoundImage?
}

/// An archived object that is an emitter. Keys are those of the rows, under any of their names in
/// the archive.
struct KeyedEmitter<Format: KeyedFormat>: KeyReader {
  let format: Format
  let object: ArchivedObject

  /// The name that the emitter gets.
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
