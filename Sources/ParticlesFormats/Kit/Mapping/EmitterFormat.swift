internal import ParticlesCore
internal import ParticlesModel

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

  /// Whether its effects are in the plane, which is the default, or in space.
  var dimension: Dimension { get }

  /// A finite number as a value; the following make one of a whole number and of a truth value.
  func real(_ number: Double) -> Field
  func integer(_ number: Int) -> Field
  func flag(_ flag: Bool) -> Field

  /// How the format states a uniform range around a number.
  var randomness: Randomness { get }

  /// The distributions over shapes that it supports; by default all but the normal one.
  var distributions: Set<Distribution> { get }

  /// Whether the directions of particles can be those of a part of a circle; by default, if they can be
  /// the normals of a shape.
  var aimsArcs: Bool { get }

  /// Whether lifetimes below 0 become 0; by default they stay as they are.
  var clampsLives: Bool { get }

  /// Restates the emitter of a writer in terms of the format, and reports what that changes, before
  /// the rows write it. By default nothing is restated.
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
