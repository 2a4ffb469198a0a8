/// What the format kit has to know of a family of files that hold emitters as keys and values.
protocol EmitterFormat: Sendable {
  /// The keys and values of one emitter, as rows read them.
  associatedtype Reader
  /// A value, as rows write it.
  associatedtype Field: Hashable
  /// What rows have to know beside the emitter, such as the axes of the file.
  associatedtype Surroundings

  /// What a key means, row by row.
  var table: MappingTable<Self> { get }

  /// The engine, as messages name it: "SceneKit".
  var engine: String { get }

  func real(_ number: Double) -> Field

  func integer(_ number: Int) -> Field

  func flag(_ flag: Bool) -> Field

  /// How the format states an even spread around a number.
  var randomness: Randomness { get }

  /// What the key of the width of a spread has behind that of the number, unless a row says it.
  static var widthSuffix: String { get }

  /// The source of the claims of rows that name none.
  static var source: String { get }
}

extension EmitterFormat {
  static var widthSuffix: String { "" }
}

/// How a format states an even spread around a number: by a second key.
enum Randomness {
  /// The second key has half of the width: v ± w.
  case half
  /// The second key has the whole width.
  case full

  /// The number of the second key for half of a width.
  func width(ofHalf half: Double) -> Double { self == .half ? half : 2 * half }

  /// Half of the width for the number of the second key.
  func half(ofWidth width: Double) -> Double { self == .half ? width : width / 2 }
}
