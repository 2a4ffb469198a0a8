public import ParticlesCore
internal import ParticlesModel

/// How an editor shows a property: its section, when it has an effect, and for numbers the range and the scale of a
/// slider.
public struct PropertyHint: Sendable, Hashable {
  /// How the positions of a slider become numbers.
  public enum Scale: String, Sendable, CaseIterable {
    /// Evenly.
    case linear
    /// Each part of the way multiplies the number. 0 is at the beginning, if it is in the range.
    case log
  }

  /// A condition: a property has one of these values.
  public struct Condition: Sendable, Hashable {
    /// The key, as in ``SettableKey/key``.
    public var key: String
    /// The values.
    public var values: [JSONValue]
  }

  /// The numbers for a property.
  public struct Numbers: Sendable, Hashable {
    /// The range of a slider: the range of 98 % of the values in known effects, or else a range for its unit. Numbers
    /// outside this range are allowed if the property allows them.
    public var usual: ClosedRange<Double>
    /// The range of a slider for effects in space, whose unit is about a metre. Nil if it equals ``usual``.
    public var usualInSpace: ClosedRange<Double>?
    /// The scale.
    public var scale: Scale
    /// The distance of two numbers when the value is changed by keys, in the unit of the property.
    public var step: Double
  }

  /// The section, such as `Emission`. See ``sections``.
  public var section: String

  /// When the property has an effect, or nil for always.
  public var applies: Condition?

  /// The range and the scale, or nil for a property without numbers.
  public var numbers: Numbers?

  /// The hint of a key of ``SettableKey``.
  init(_ key: String, _ info: PropertyInfo) {
    section = Self.section(of: key)
    applies = Self.condition(of: key)
    numbers = Numbers(key, info)
  }

  /// The sections, in the order in which an editor shows them.
  public static let sections = [
    "Emitter", "Timing", "Emission", "Shape", "Launch", "Life", "Motion", "Forces", "Physics",
    "Rotation", "Size",
    "Colour", "Image", "Rendering", "Triggers", "Preview", "Document",
  ]

  /// The section of the keys that begin so. The longest beginning counts.
  private static let beginnings: [(String, String)] = [
    ("", "Document"), ("images", "Image"), ("sprites", "Image"), ("meshes", "Shape"),
    ("emitters", "Emitter"),
    ("emitters[].timing", "Timing"), ("emitters[].emission", "Emission"),
    ("emitters[].shape", "Shape"),
    ("emitters[].launch", "Launch"), ("emitters[].lifetime", "Life"),
    ("emitters[].motion", "Motion"),
    ("emitters[].forces", "Forces"), ("emitters[].physics", "Physics"),
    ("emitters[].rotation", "Rotation"),
    ("emitters[].size", "Size"), ("emitters[].color", "Colour"), ("emitters[].sprite", "Image"),
    ("emitters[].flipbook", "Image"), ("emitters[].render", "Rendering"),
    ("emitters[].triggers", "Triggers"),
    ("preview", "Preview"),
  ]

  private static func section(of key: String) -> String {
    beginnings.filter { key.hasPrefix($0.0) }.max { $0.0.utf8.count < $1.0.utf8.count }?.1 ?? ""
  }

  /// Further conditions besides ``condition(of:)``, by the beginnings of keys.
  private static let conditions: [(String, key: String, values: [JSONValue])] = [
    ("emitters[].launch.direction.angle", "emitters[].launch.direction.mode", ["angle"]),
    ("emitters[].launch.direction.vector", "emitters[].launch.direction.mode", ["vector"]),
    ("emitters[].motion.orbit.", "emitters[].motion.mode", ["orbit"]),
    ("emitters[].motion.path.", "emitters[].motion.mode", ["path"]),
    ("emitters[].render.blend.src", "emitters[].render.blend.mode", ["custom"]),
    ("emitters[].render.blend.dst", "emitters[].render.blend.mode", ["custom"]),
    ("emitters[].render.blend.equation", "emitters[].render.blend.mode", ["custom"]),
    ("emitters[].render.billboardAxis", "emitters[].render.billboard", ["free"]),
    ("emitters[].rotation.alignOffset", "emitters[].rotation.align", ["birth", "velocity"]),
    ("emitters[].timing.idle", "emitters[].timing.loop", [.bool(true)]),
    ("emitters[].physics.bounce", "emitters[].physics.collides", [.bool(true)]),
    ("emitters[].physics.friction", "emitters[].physics.collides", [.bool(true)]),
    ("emitters[].physics.diesOnCollision", "emitters[].physics.collides", [.bool(true)]),
    ("emitters[].triggers[].interval", "emitters[].triggers[].event", ["interval"]),
    ("emitters[].flipbook.", "emitters[].spriteSelection", ["first", "random", "sequence"]),
  ]

  private static func condition(of key: String) -> Condition? {
    func condition(_ prefix: String, _ kinds: [(name: String, parameters: [String])]) -> Condition?
    {
      guard key.hasPrefix(prefix) else { return nil }
      let name = key.dropFirst(prefix.count).prefix { $0 != "." && $0 != "[" }
      let using = kinds.filter { $0.parameters.contains(String(name)) }
      return using.isEmpty
        ? nil : Condition(key: "\(prefix)type", values: using.map { .string($0.name) })
    }
    return condition("emitters[].shape.", ShapeKind.allCases.map { ($0.rawValue, $0.parameters) })
      ?? condition("emitters[].forces[].", ForceKind.allCases.map { ($0.rawValue, $0.parameters) })
      ?? conditions.first { key.hasPrefix($0.0) }.map { Condition(key: $0.key, values: $0.values) }
  }
}

extension PropertyHint.Numbers {
  /// Nil if the property has no numbers, or only numbers that name something, such as an index.
  init?(_ key: String, _ info: PropertyInfo) {
    let type = info.type.hasSuffix(" or null") ? String(info.type.dropLast(8)) : info.type
    guard Self.types.contains(type), !Self.names.contains(key) else { return nil }
    let known = PropertyHint.usual[key]
    let bounds = info.bounds ?? .any
    let standard = info.standardValue?.double
    func range(_ usual: PropertyHint.Usual) -> ClosedRange<Double> {
      let low = max(usual.low, bounds.lower ?? -.infinity, Self.widest.lowerBound)
      let high = min(usual.high, bounds.upper ?? .infinity, Self.widest.upperBound)
      return min(low, standard ?? low, high)...max(high, standard ?? high)
    }
    let byUnit = Self.range(of: info.unit, type, bounds)
    let plane = known.flatMap { $0.plane ?? $0.space }.map(range)
    usual = plane ?? byUnit
    usualInSpace = known.flatMap { $0.plane == nil ? nil : $0.space }.map(range)
    if usualInSpace == usual { usualInSpace = nil }
    let middle = known.flatMap { $0.plane ?? $0.space }?.middle ?? 0
    let isWide = middle > 0 && usual.upperBound / middle >= 8
    scale = usual.lowerBound >= 0 && isWide && type != "integer" ? .log : .linear
    step = Self.step(in: usual, isInteger: type == "integer", isLog: scale == .log, middle)
  }

  /// The types that have numbers.
  private static let types: Set = [
    "number", "integer", "Value", "Track", "vector", "pair", "scale", "interval",
    "vector of Tracks",
    "vector of Values", "scale of Values", "frame rate",
  ]

  /// Numbers that are no amounts.
  private static let names: Set = [
    "sprites[].image", "emitters[].shape.mesh", "emitters[].triggers[].emitter",
    "emitters[].physics.fieldMask",
    "emitters[].render.blend.src", "emitters[].render.blend.dst", "images[].width",
    "images[].height", "seed",
  ]

  /// More is no way of a slider, although some effects state it.
  private static let widest = -100_000.0...100_000

  /// The range for properties that too few effects state.
  private static func range(of unit: String?, _ type: String, _ bounds: Bounds) -> ClosedRange<
    Double
  > {
    let isSigned = bounds.lower == nil
    let top: Double =
      switch unit {
      case "s": 10
      case "°": type == "interval" ? 360 : 180
      case "°/s", "°/s²": 720
      case "1/s": 60
      case "1/unit": 1
      case "unit": 200
      case "unit/s", "unit/s²": 400
      case "px": 1024
      case "px/unit": 10
      case "frame": 64
      default: type == "integer" ? 10 : isSigned ? 1 : 2
      }
    let high = bounds.upper.map { min($0, max(top, $0 <= 360 ? $0 : top)) } ?? top
    let isInterval = type == "interval" || type == "scale"
    return (bounds.lower ?? (isInterval || !isSigned ? 0 : -high))...high
  }

  /// 1, 2 or 5 times a power of ten, about a hundredth of the range.
  private static func step(
    in range: ClosedRange<Double>, isInteger: Bool, isLog: Bool, _ middle: Double
  ) -> Double {
    let wanted = isLog ? middle / 20 : (range.upperBound - range.lowerBound) / 100
    guard wanted > 0 else { return isInteger ? 1 : 0.01 }
    var unit = 1.0
    while unit > wanted { unit /= 10 }
    while unit * 10 <= wanted { unit *= 10 }
    let digit = wanted / unit >= 5 ? 5.0 : wanted / unit >= 2 ? 2.0 : 1.0
    let step = unit * digit
    // 0.1 · 3 is 0.3.
    return isInteger ? max(1, step) : step.rounded
  }
}
