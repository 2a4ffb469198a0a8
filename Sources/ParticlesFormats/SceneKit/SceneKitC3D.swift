internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// The newer syntax of key frames: dictionaries with internal names of SceneKit, and big-endian
// arrays of numbers (vectors elsewhere in the archive are little-endian).

extension KeyFrames {
  /// Reads an animation; nil, after a report, if it cannot be used.
  init?(c3d object: ArchivedObject) throws {
    let kind = object.string("class") ?? "keyframe"
    guard kind == "keyframe" else {
      object.mismatch("class", expected: "'keyframe'", found: "'\(kind.excerpt)'")
      return nil
    }
    guard let animation = try object.dictionary("animation"),
      let controller = try animation.dictionary("keyframeController")
    else {
      object.mismatch("animation", expected: "keys", found: "none")
      return nil
    }
    guard let rows = try controller.rows("values"), !rows.isEmpty else { return nil }
    switch rows[0].count {
    case 1: self.init(times: [], values: .numbers(rows.map { $0[0] }))
    case 4: self.init(times: [], values: .colors(rows.map { Color($0) }))
    default:
      controller.mismatch("values", expected: "numbers or colours", found: "vectors")
      return nil
    }
    times = try Self.times(of: controller, animation: animation) ?? Self.evenTimes(values.count)
    guard times.count == values.count else {
      controller.mismatch("keytimes", expected: "\(values.count) times", found: "\(times.count)")
      return nil
    }
    try readMode(of: controller)
    animation.reportRestOfC3D()
    controller.reportUnasked()
    object.reportUnasked()
  }

  private static func times(of controller: ArchivedObject, animation: ArchivedObject) throws
    -> [Double]?
  {
    var duration = animation.double("duration") ?? 1
    if !(1e-6..<1e9 ~= duration) {
      animation.mismatch("duration", expected: "some seconds", found: "\(duration)")
      duration = 1
    }
    let times = try controller.rows("keytimes")?.compactMap(\.first)
    return duration == 1 ? times : times?.map { $0 / duration }
  }

  /// The curve is cubic exactly if there are tangents, independent of the modes.
  private mutating func readMode(of controller: ArchivedObject) throws {
    for key in ["keyframeVersion", "interpolationMode"] { _ = controller.index(of: key) }
    let mode = controller.int("calculationMode") ?? 0
    let tangents = try ["inTangents", "outTangents"].map { try controller.rows($0) ?? [] }
    let bends = try ["tensionValues", "continuityValues", "biasValues"].map {
      (try controller.rows($0) ?? []).compactMap(\.first)
    }
    guard tangents.allSatisfy({ $0.count == values.count }) else {
      if mode == 1 { interpolation = .step }
      if mode != 0 {
        controller.note(
          .assumed, "calculationMode",
          "keys of mode \(mode) are read as \(mode == 1 ? "steps" : "linear")")
      }
      return
    }
    interpolation = .cubic
    bend(tension: bends[0], continuity: bends[1], bias: bends[2])
    if slopes.isEmpty { takeTangents(tangents[0], tangents[1]) }
  }

  /// Reads the slopes of stored tangents, unless they equal the automatic slopes within the
  /// precision of floats.
  private mutating func takeTangents(_ into: [[Double]], _ out: [[Double]]) {
    func slope(_ tangent: [Double]) -> Double? {
      tangent.count == 2 && tangent[0] != 0 ? tangent[1] / tangent[0] : nil
    }
    guard isSorted, case .numbers(let numbers) = values else { return }
    let plain = Curve(zip(times, numbers).map { CurveKey($0, $1) }, .cubic)
    let stored = times.indices.map { index in
      (
        before: slope(into[index]) ?? plain.inSlope(index),
        behind: slope(out[index]) ?? plain.outSlope(index)
      )
    }
    func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(1, abs(b)) }
    let isPlain = stored.indices.allSatisfy { index in
      same(stored[index].before, plain.inSlope(index))
        && same(stored[index].behind, plain.outSlope(index))
    }
    if !isPlain, stored.allSatisfy({ $0.before.isFinite && $0.behind.isFinite }) { slopes = stored }
  }
}

extension ArchivedObject {
  /// Reports further properties of an animation that are set.
  fileprivate func reportRestOfC3D() {
    let zeros = [
      "additive", "autoreverses", "beginTime", "cumulative", "fadeInDuration", "fadeOutDuration",
      "repeatCount", "timeOffset",
    ]
    for (key, plain) in zeros.map({ ($0, 0.0) }) + [("speed", 1)] {
      let found = numberOrBool(key) ?? plain
      if found != plain { reportUninterpreted(key, found: "\(found)") }
    }
    for key in ["type", "fillModeMask", "removeOnCompletion", "sceneTimeBased", "attributes"] {
      _ = index(of: key)
    }
    reportUnasked()
  }

  /// The elements of a blob; nil if there is none, or it cannot be read, which is reported.
  fileprivate func rows(_ name: String) throws -> [[Double]]? {
    // The components of an element by type, and the bytes of each.
    let layouts = [
      1: (count: 1, width: 4), 6: (1, 8), 8: (2, 4), 9: (3, 4), 10: (4, 4), 13: (4, 4),
    ]
    guard let source = try dictionary(name), let blob = data("\(name)-data") else { return nil }
    guard let accessor = try source.dictionary("accessor"),
      let (length, width) = layouts[accessor.int("componentsType") ?? 0]
    else {
      mismatch(name, expected: "elements of a known type", found: "none")
      return nil
    }
    let size = length * width
    let stride = accessor.int("stride") ?? size
    let offset = accessor.int("offset") ?? 0
    guard offset >= 0, offset <= blob.count, stride >= size else {
      mismatch(name, expected: "elements inside of the data", found: "others")
      return nil
    }
    let room = blob.count - offset - size
    let available = room < 0 ? 0 : room / stride + 1
    let count = accessor.int("valuesCount") ?? available
    guard 0...available ~= count else {
      mismatch(name, expected: "at most \(available) elements", found: "\(count)")
      return nil
    }
    try reader.spend(count, at: .key(path(of: name)))
    let rows = (0..<count).map { number in
      (0..<length).map { place in
        blob.dropFirst(offset + number * stride + place * width).prefix(width).real
      }
    }
    guard rows.joined().allSatisfy({ $0.magnitude < 1e15 }) else {
      mismatch("\(name)-data", expected: "finite numbers", found: "others")
      return nil
    }
    return rows.map { $0.map(\.tidy) }
  }
}
