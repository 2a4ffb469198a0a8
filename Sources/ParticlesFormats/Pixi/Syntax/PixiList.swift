internal import ParticlesCore
internal import ParticlesModel

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
  /// A colour: `#rrggbb`, with or without its mark, or with alpha first, which has no effect.
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
    let lists = chain.first?.array == nil ? [chain] : chain.compactMap(\.array)
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

/// The names of images: one, or a list of names, of objects with a name and a count, or of animations, of
/// which each counts by its first image.
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
