internal import ParticlesCore
internal import ParticlesModel

/// The spelling of keys in both generations of configurations.
///
/// Rows name a key of a behaviour by `behavior/key`, and its whole configuration by `behavior/`.
/// The data of a shape have names of their own, `rect`, `circle` and `polygonalChain`, because the
/// older generation has a key for each. All other paths are equal in both generations.
struct PixiKeys: Sendable {
  let isFlat: Bool

  /// The keys of the older generation, in its order. Of several spellings the first is the usual one.
  private static let flat: KeyValuePairs<String, [String]> = [
    "moveSpeed/speed": ["speed"],
    "moveSpeed/minMult": ["speed.minimumSpeedMultiplier", "minimumSpeedMultiplier"],
    "moveAcceleration/accel": ["acceleration"],
    "moveAcceleration/maxSpeed": ["maxSpeed"],
    "movePath/path": ["extraData.path"],
    "rotation/minStart": ["startRotation.min", "angle.min"],
    "rotation/maxStart": ["startRotation.max", "angle.max"],
    "rotation/minSpeed": ["rotationSpeed.min"],
    "rotation/maxSpeed": ["rotationSpeed.max"],
    "rotation/accel": ["rotationAcceleration"],
    "noRotation/": ["noRotation"],
    "spawnShape/type": ["spawnType"],
    "rect/": ["spawnRect"],
    "circle/": ["spawnCircle"],
    "circle/radius": ["spawnCircle.r"],
    "circle/innerRadius": ["spawnCircle.minR"],
    "polygonalChain/": ["spawnPolygon"],
    "spawnBurst/spacing": ["particleSpacing"],
    "spawnBurst/start": ["angleStart"],
    "scale/scale": ["scale"],
    "scale/minMult": ["scale.minimumScaleMultiplier", "minimumScaleMultiplier"],
    "alpha/alpha": ["alpha"],
    "color/color": ["color"],
    "blendMode/blendMode": ["blendMode"],
  ]

  private static let spellings = Dictionary(uniqueKeysWithValues: flat.map { ($0.key, $0.value) })

  /// The spelling of a path: if it has several, the spelling in the file.
  /// - Returns: nil for a key that the generation does not have.
  func spelling(of path: String, in file: JSONValue?) -> String? {
    guard let slash = path.firstIndex(of: "/") else { return path }
    let (behavior, key) = (path[..<slash], path[path.index(after: slash)...])
    guard isFlat else {
      let isShape = ["rect", "circle", "polygonalChain"].contains(behavior)
      let place = isShape ? "behaviors[spawnShape].config.data" : "behaviors[\(behavior)].config"
      return key.isEmpty ? place : "\(place).\(key)"
    }
    let end = key.firstIndex(of: ".") ?? key.endIndex
    var found = Self.spellings[String(path[..<end])]?.map { $0 + key[end...] }
    if found == nil { found = Self.spellings["\(behavior)/"]?.map { "\($0).\(key)" } }
    return found?.first { file?[$0] != nil } ?? found?.first
  }

  /// The keys of a row in files of the generation.
  func listed(_ paths: [String]) -> [String] {
    var known: Set<String> = []
    let all =
      isFlat
      ? paths.filter { !$0.contains("/") }
        + Self.flat.filter { paths.contains($0.key) }.flatMap { $0.value }.map(Self.root)
      : paths.compactMap { spelling(of: $0, in: nil) }
    return all.filter { known.insert($0).inserted }
  }

  /// The key that contains a nested key, except in the data of the program.
  private static func root(of key: String) -> String {
    key.hasPrefix("extraData") ? key : String(key.prefix { $0 != "." })
  }

  /// A file with a configuration for each behaviour, even if that is empty.
  func completed(_ root: JSONValue) -> JSONValue {
    guard !isFlat, case .object(var object) = root else { return root }
    object["behaviors"] = .array(
      (object["behaviors"]?.array ?? []).map { behavior in
        var behavior = behavior.object ?? JSONObject()
        if behavior["config"] == nil { behavior["config"] = .object(JSONObject()) }
        return .object(behavior)
      })
    return .object(object)
  }
}

/// An easing function: segments of equal length, each a parabola through its start and end.
struct PixiEase {
  private let function: @Sendable (Double) -> Double
  /// The number of segments.
  private let count: Int

  /// Reads a list of at most 64 segments, the form that a file can have.
  init?(_ value: JSONValue) {
    guard let segments = value.array, !segments.isEmpty, segments.count <= 64 else { return nil }
    let parts = segments.map { part in
      ["s", "cp", "e"].map { part[$0]?.double ?? 0 }
    }
    count = parts.count
    function = { x in
      let place = x * Double(parts.count)
      let index = min(max(Int(saturating: place), 0), parts.count - 1)
      let (t, part) = (place - Double(index), parts[index])
      return part[0] + t * (2 * (1 - t) * (part[1] - part[0]) + t * (part[2] - part[0]))
    }
  }

  private init(count: Int, function: @escaping @Sendable (Double) -> Double) {
    (self.count, self.function) = (count, function)
  }

  func followed(by next: PixiEase) -> PixiEase {
    let (first, second) = (function, next.function)
    return PixiEase(count: min(count * next.count, 64)) { second(min(max(first($0), 0), 1)) }
  }

  /// The function as a curve.
  var curve: Curve { .through(8 * count, function) }

  /// Whether the function never returns to lower values.
  var isMonotonic: Bool {
    let values = (0...32 * count).map { function(Double($0) / Double(32 * count)) }
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 }
  }

  /// Points of a list as version 3 of the engine reads it. It never returns to an earlier segment
  /// of the list, but extends the line of its last segment (`PropertyList.ts`, `intValueComplex`).
  /// - Parameter times: the times of the values, at least two.
  /// - Returns: for each moment the segment, and where on its line the value is.
  func advancing(_ times: [Double], isStepped: Bool) -> [(time: Double, index: Int, share: Double)]
  {
    var index = 0
    let last = isStepped ? times.count - 1 : times.count - 2
    return (0...32 * count).map { number in
      let time = Double(number) / Double(32 * count)
      let place = function(time)
      while index < last, place > times[index + 1] { index += 1 }
      guard !isStepped else { return (time, index, 0) }
      let length = times[index + 1] - times[index]
      return (time, index, length > 0 ? (place - times[index]) / length : 0)
    }
  }

  /// A gradient whose times follow the function.
  func applied(to gradient: Gradient) -> Gradient { gradient.eased(parts: count, by: function) }
}

/// A list of values over life, in any of its forms: `start` and `end`, or a `list` of values and times.
struct PixiList {
  var points: [(time: Double, value: JSONValue)]
  var isStepped = false
  var ease: JSONValue?

  init(_ points: [(time: Double, value: JSONValue)], isStepped: Bool = false) {
    (self.points, self.isStepped) = (points, isStepped)
  }

  /// The list in a value, in the order of times.
  /// - Returns: nil for a value in another form, or without points.
  init?(_ value: JSONValue?) {
    if let list = value?["list"]?.array {
      points = list.compactMap { point in
        point["value"].map { (time: point["time"]?.double ?? 0, value: $0) }
      }
      guard !points.isEmpty else { return nil }
      ease = value?["ease"]
      // With a second point at the end, steps are ignored.
      isStepped = value?["isStepped"]?.bool == true && !(points.count > 1 && points[1].time >= 1)
      points.sort { $0.time < $1.time }
    } else {
      guard let start = value?["start"] else { return nil }
      points = [(0, start), (1, value?["end"] ?? start)]
    }
  }

  /// The keys of the list and their values.
  /// - Parameters:
  ///   - old: the list in the source file, whose form is kept if it can hold the points.
  ///   - prefersEnds: whether a list that is not in the source file is `start` and `end`.
  func members(like old: JSONValue?, prefersEnds: Bool) -> [(key: String, value: JSONValue)] {
    let hasEnds =
      points.count == 1 || points.count == 2 && points[0].time == 0 && points[1].time == 1
    if hasEnds, !isStepped, old.map({ $0["start"] != nil }) ?? prefersEnds {
      return [("start", points[0].value), ("end", points[points.count - 1].value)]
    }
    let list = points.map { ["value": $0.value, "time": .double($0.time)] as JSONValue }
    let hasSteps = isStepped || old?["isStepped"] != nil
    return [("list", .array(list))] + (hasSteps ? [("isStepped", .bool(isStepped))] : [])
  }
}

extension PixiList {
  /// A colour: `#rrggbb`, with or without its mark, or with alpha first, but alpha has no effect.
  static func color(_ value: JSONValue) -> Color? {
    var digits = value.string ?? ""
    for prefix in ["#", "0x"] where digits.hasPrefix(prefix) {
      digits = String(digits.dropFirst(prefix.count))
    }
    if digits.count == 8 { digits = String(digits.dropFirst(2)) }
    return Color(hexadecimal: "#\(digits)")
  }
}

/// A chain of lines: an array of points, or an array of such arrays. y points down.
enum PixiChain {
  static func lines(_ chain: [JSONValue]) -> [[Vector]] {
    let lists = chain.first?.array == nil ? [chain] : chain.compactMap { $0.array }
    return lists.map { list in
      list.map { point in Vector(point["x"]?.double ?? 0, 0 - (point["y"]?.double ?? 0)) }
    }.filter { !$0.isEmpty }
  }

  /// - Parameter real: makes a value of a number.
  static func value(_ lines: [[Vector]], _ real: (Double) -> JSONValue) -> JSONValue {
    let lists = lines.map { line in
      JSONValue.array(line.map { ["x": real($0.x), "y": real(-$0.y)] })
    }
    return lists.count == 1 ? lists[0] : .array(lists)
  }
}

/// The names of images: a name, or a list of names, of objects with a name and a count, or of
/// animations. An animation counts by its first image.
enum PixiImages {
  static let most = 256

  static func names(_ value: JSONValue?) -> [String] {
    if let name = value?.string { return name.isEmpty ? [] : [name] }
    return (value?.array ?? []).prefix(most).flatMap { element -> [String] in
      if let name = element.string { return [name] }
      if let textures = element["textures"] { return Array(names(textures).prefix(1)) }
      guard let name = element["texture"]?.string else { return [] }
      return Array(repeating: name, count: min(max(element["count"]?.int ?? 1, 1), most))
    }
  }
}
