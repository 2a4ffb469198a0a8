internal import ParticlesCore
internal import ParticlesModel

/// The emitter configurations of PixiJS: flat keys up to version 4 of the library, a list of
/// behaviours since version 5.
struct PixiFamily: TreeFormat {
  enum Dialect: String, Sendable {
    case flat = "pixi-legacy"
    case behaviors = "pixi"
  }

  static let sources = [
    (name: "v3", title: "@pixi/particle-emitter 3.2.0, `Emitter.ts` and `Particle.ts`"),
    (name: "v5", title: "@pixi/particle-emitter 5.0.8, `behaviors/` and `upgradeConfig`"),
    (name: "run", title: "recordings of 3.2.0 and 5.0.8"),
    (name: "files", title: "18 published files"),
  ]

  static let flat = PixiFamily(.flat)
  static let behaviors = PixiFamily(.behaviors)

  let dialect: Dialect
  let aimsArcs = false
  let table: MappingTable<PixiFamily>

  private init(_ dialect: Dialect) {
    self.dialect = dialect
    let isFlat = dialect == .flat
    table = MappingTable(
      unit: .pixel, profile: isFlat ? .pixi3 : .pixi5, exact: isFlat ? [] : [.tex, .randSpr],
      approximated: isFlat ? [.multi, .speed] : [.multi, .speed, .flip],
      Self.rows(PixiKeys(dialect)))
  }

  var isFlat: Bool { dialect == .flat }
  var name: String { dialect.rawValue }
  var engine: String { "PixiJS" }
  var keys: PixiKeys { PixiKeys(dialect) }
  var imageCount: Int { 256 }
  var imagesDetail: String? {
    isFlat ? "files of the older generation name no images; pass them beside the file" : nil
  }

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
    guard root["lifetime"]?.object != nil, (root["behaviors"]?.array != nil) != isFlat else {
      throw Diagnostic(
        .emitterRoot, expected: isFlat ? "'lifetime' without 'behaviors'" : "'behaviors'")
    }
    return [TreeEmitter(path: "", value: root)]
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    var root = emitters.first ?? .object(JSONObject())
    guard !isFlat, case .object(var object) = root else { return root }
    // Each behaviour has a configuration, even if it is empty.
    object["behaviors"] = .array(
      (object["behaviors"]?.array ?? []).map { behavior in
        var behavior = behavior.object ?? JSONObject()
        if behavior["config"] == nil { behavior["config"] = .object(JSONObject()) }
        return .object(behavior)
      })
    root = .object(object)
    return root
  }
}

/// The keys of a dialect.
struct PixiKeys: Sendable {
  let isFlat: Bool

  init(_ dialect: PixiFamily.Dialect) { isFlat = dialect == .flat }

  /// A key of the older generation, or a key of the configuration of a behaviour.
  func key(_ flat: String, _ behavior: String, _ key: String) -> String {
    isFlat ? flat : "behaviors[\(behavior)].config" + (key.isEmpty ? "" : ".\(key)")
  }

  var startLow: String { key("startRotation.min", "rotation", "minStart") }
  var startHigh: String { key("startRotation.max", "rotation", "maxStart") }
  var spinLow: String { key("rotationSpeed.min", "rotation", "minSpeed") }
  var spinHigh: String { key("rotationSpeed.max", "rotation", "maxSpeed") }
  var spinGain: String { key("rotationAcceleration", "rotation", "accel") }
  var noRotation: String { key("noRotation", "noRotation", "") }
  var blend: String { key("blendMode", "blendMode", "blendMode") }
  var acceleration: String { key("acceleration", "moveAcceleration", "accel") }
  var maxSpeed: String { key("maxSpeed", "moveAcceleration", "maxSpeed") }
}

extension ParticleFormat {
  /// Configurations with behaviours, for version 5 of the library.
  public static let pixi = ParticleFormat(
    PixiFamily.behaviors, in: JSONTree.self, title: "PixiJS particle emitter",
    extensions: ["json"]
  ) { bytes, _ in
    bytes.contains("\"behaviors\"") && bytes.contains("\"lifetime\"")
      && hasRootKeys(["lifetime", "behaviors"], bytes)
  }.declaring(.pixi)

  /// Configurations with flat keys, for versions up to 4.
  public static let pixiLegacy = ParticleFormat(
    PixiFamily.flat, in: JSONTree.self, title: "PixiJS particle emitter, up to version 4",
    extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"lifetime\""), !bytes.contains("\"behaviors\"") else { return false }
    return ["startRotation", "spawnType", "frequency", "emitterLifetime"].contains {
      bytes.contains("\"\($0)\"") && hasRootKeys(["lifetime", $0], bytes)
    }
  }.declaring(.pixiLegacy)

  /// Whether a JSON text is an object with these keys.
  static func hasRootKeys(_ keys: [String], _ bytes: [UInt8]) -> Bool {
    guard let object = try? JSONTree(decoding: bytes, limits: .standard).value.object else {
      return false
    }
    return keys.allSatisfy { object[$0] != nil }
  }
}

/// A list of values over life, in any of its forms.
struct PixiList {
  var points: [(time: Double, value: JSONValue)]
  var isStepped = false
  var ease: JSONValue?
}

extension TreeReader<PixiFamily> {
  var keys: PixiKeys { format.keys }

  /// A list: `start` and `end`, or a `list` of values and times.
  func list(_ path: String) -> PixiList? {
    guard let value = self[path] else { return nil }
    if let list = value["list"]?.array {
      let points = list.compactMap { point in
        point["value"].map { (time: point["time"]?.double ?? 0, value: $0) }
      }
      guard !points.isEmpty else { return nil }
      var result = PixiList(points: points, ease: value["ease"])
      // With a second point at the end, steps are ignored.
      result.isStepped =
        value["isStepped"]?.bool == true && !(points.count > 1 && points[1].time >= 1)
      return result
    }
    guard let start = value["start"] else { return nil }
    return PixiList(points: [(0, start), (1, value["end"] ?? start)])
  }

  /// A list of numbers as a track.
  func track(_ path: String, times factor: Value = 1) -> Track? {
    guard let list = list(path) else { return nil }
    let points = list.points.compactMap { point in
      number(point.value, path).map { (time: point.time, value: $0) }
    }.sorted { $0.time < $1.time }
    guard !points.isEmpty else { return nil }
    var track = Track(points: points, times: factor)
    if list.isStepped, track.to != nil { track.curve.interpolation = .step }
    if let warp = ease(list.ease ?? self["ease"], path), track.to != nil { track.warp = warp }
    return track
  }

  /// An easing function as a curve; nil for none.
  private func ease(_ value: JSONValue?, _ path: String) -> Curve? {
    guard let value, value != .string("linear") else { return nil }
    guard let segments = value.array, !segments.isEmpty, segments.count <= 64 else {
      note(.uninterpreted, path, "an easing function that is not a list of segments")
      return nil
    }
    let parts = segments.map { part in
      ["s", "cp", "e"].map { part[$0]?.double ?? 0 }
    }
    return .through(8 * parts.count) { x in
      let place = x * Double(parts.count)
      let index = min(Int(place), parts.count - 1)
      let (t, part) = (place - Double(index), parts[index])
      return part[0] + t * (2 * (1 - t) * (part[1] - part[0]) + t * (part[2] - part[0]))
    }
  }

  func colors(_ path: String) -> ColorTrack? {
    guard let list = list(path) else { return nil }
    let keys = list.points.compactMap { point in
      color(point.value, path).map { GradientKey(point.time, $0) }
    }.sorted { $0.time < $1.time }
    guard let first = keys.first else { return nil }
    if keys.allSatisfy({ $0.color == first.color }) { return ColorTrack(.constant(first.color)) }
    return ColorTrack(gradient: Gradient(keys, list.isStepped ? .step : .linear))
  }

  /// A colour: `#rrggbb`, with or without its mark, or with alpha, which has no effect.
  func color(_ value: JSONValue, _ path: String) -> Color? {
    var digits = value.string ?? ""
    for prefix in ["#", "0x"] where digits.hasPrefix(prefix) {
      digits = String(digits.dropFirst(prefix.count))
    }
    if digits.count == 8 { digits = String(digits.dropFirst(2)) }
    guard let color = Color(hexadecimal: "#\(digits)") else {
      note(
        .assumed, path, "a colour that cannot be read is white", found: value.shortExcerpt)
      return nil
    }
    return color
  }
}

extension Color {
  /// `#rrggbb`, without alpha.
  var hexadecimal: String {
    "#"
      + [red, green, blue].map { channel in
        [UInt8(((min(max(channel.isNaN ? 0 : channel, 0), 1)) * 255).rounded())].hexDigits
      }.joined()
  }
}
