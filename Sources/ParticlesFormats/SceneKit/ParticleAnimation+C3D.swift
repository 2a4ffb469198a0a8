internal import ParticlesCore
internal import ParticlesModel

// The newer encoding: dictionaries with the names of SceneKit's own engine, and blobs of numbers
// that are big-endian, unlike the vectors of the system around them.

extension ParticleAnimation {
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
    guard let rows = try Self.rows("values", of: controller), !rows.isEmpty,
      let values = Self.values(rows, of: controller)
    else { return nil }
    let times = try Self.times(of: controller, animation: animation, count: rows.count)
    guard times.count == rows.count else {
      controller.mismatch("keytimes", expected: "\(rows.count) times", found: "\(times.count)")
      return nil
    }
    self.init(times: times, values: values)
    try readMode(of: controller)
    Self.check(animation)
    controller.reportUnasked()
    object.reportUnasked()
  }

  private static func times(
    of controller: ArchivedObject, animation: ArchivedObject, count: Int
  ) throws -> [Double] {
    var duration = animation.double("duration") ?? 1
    if !(1e-6..<1e9 ~= duration) {
      animation.mismatch("duration", expected: "some seconds", found: "\(duration)")
      duration = 1
    }
    guard let rows = try rows("keytimes", of: controller) else { return evenTimes(count) }
    let times = rows.compactMap(\.first)
    return duration == 1 ? times : times.map { $0 / duration }
  }

  private static func values(_ rows: [[Double]], of controller: ArchivedObject) -> Values? {
    switch rows.first?.count {
    case 1: return .numbers(rows.map { $0[0] })
    case 4: return .colors(rows.map { Color($0[0], $0[1], $0[2], $0[3]) })
    default:
      controller.mismatch("values", expected: "numbers or colours", found: "vectors")
      return nil
    }
  }

  /// The curve is a cubic one exactly when there are tangents, whatever the modes say.
  private mutating func readMode(of controller: ArchivedObject) throws {
    _ = controller.index(of: "keyframeVersion")
    _ = controller.index(of: "interpolationMode")
    let mode = controller.int("calculationMode") ?? 0
    let into = try Self.rows("inTangents", of: controller)
    let out = try Self.rows("outTangents", of: controller)
    let bends = try ["tensionValues", "continuityValues", "biasValues"].map {
      (try Self.rows($0, of: controller) ?? []).compactMap(\.first)
    }
    guard let into, let out, into.count == count, out.count == count else {
      if mode == 1 { interpolation = .step }
      if mode != 0 {
        controller.reader.report(
          Diagnostic(
            .assumed, at: .key(controller.path(of: "calculationMode")),
            "keys of mode \(mode) are taken as \(mode == 1 ? "steps" : "linear")"))
      }
      return
    }
    interpolation = .cubic
    guard case .numbers(let numbers) = values else { return }
    slopes = kochanekBartels(
      times, numbers, tension: bends[0], continuity: bends[1], bias: bends[2])
    if slopes.isEmpty { slopes = stored(into, out, numbers) }
  }

  /// The slopes of stored tangents; none if they only say what a curve without them is, to the
  /// precision of floats.
  private func stored(
    _ into: [[Double]], _ out: [[Double]], _ numbers: [Double]
  ) -> [(before: Double, behind: Double)] {
    func slope(_ tangent: [Double]) -> Double? {
      guard tangent.count == 2, tangent[0] != 0 else { return nil }
      return tangent[1] / tangent[0]
    }
    let plain = Curve(zip(times, numbers).map { CurveKey($0, $1) }, .cubic)
    guard isSorted else { return [] }
    let slopes = times.indices.map { index in
      (
        before: slope(into[index]) ?? plain.inSlope(index),
        behind: slope(out[index]) ?? plain.outSlope(index)
      )
    }
    let isPlain = slopes.indices.allSatisfy { index in
      func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(1, abs(b)) }
      return same(slopes[index].before, plain.inSlope(index))
        && same(slopes[index].behind, plain.outSlope(index))
    }
    let usable = slopes.allSatisfy { $0.before.isFinite && $0.behind.isFinite }
    return isPlain || !usable ? [] : slopes
  }

  /// Reports what an animation says beyond its keys, if it says it.
  private static func check(_ animation: ArchivedObject) {
    let plain: [String: Double] = [
      "speed": 1, "repeatCount": 0, "autoreverses": 0, "additive": 0, "cumulative": 0,
      "beginTime": 0, "timeOffset": 0, "fadeInDuration": 0, "fadeOutDuration": 0,
    ]
    for (key, value) in plain.sorted(by: { $0.key < $1.key }) {
      let found = animation.numberOrBool(key) ?? value
      if found != value { animation.reportUninterpreted(key, found: "\(found)") }
    }
    for key in ["type", "fillModeMask", "removeOnCompletion", "sceneTimeBased", "attributes"] {
      _ = animation.index(of: key)
    }
    animation.reportUnasked()
  }
}

// MARK: - Blobs

extension ParticleAnimation {
  /// How many numbers an element of a type has, and of how many bytes each.
  private static let layouts: [Int: (count: Int, width: Int)] = [
    1: (1, 4), 6: (1, 8), 8: (2, 4), 9: (3, 4), 10: (4, 4), 13: (4, 4),
  ]

  /// The elements of a blob; nil if there is none, or it cannot be read, which is reported.
  private static func rows(_ name: String, of controller: ArchivedObject) throws -> [[Double]]? {
    guard let source = try controller.dictionary(name),
      let blob = controller.data("\(name)-data")
    else { return nil }
    guard let accessor = try source.dictionary("accessor"),
      let layout = layouts[accessor.int("componentsType") ?? 0]
    else {
      controller.mismatch(name, expected: "elements of a known type", found: "none")
      return nil
    }
    let size = layout.count * layout.width
    let stride = accessor.int("stride") ?? size
    let offset = accessor.int("offset") ?? 0
    let room = blob.count - offset - size
    guard offset >= 0, offset <= blob.count, stride >= size else {
      controller.mismatch(name, expected: "elements inside of the data", found: "others")
      return nil
    }
    let available = room < 0 ? 0 : room / stride + 1
    let count = accessor.int("valuesCount") ?? available
    guard 0...available ~= count else {
      controller.mismatch(name, expected: "at most \(available) elements", found: "\(count)")
      return nil
    }
    try controller.reader.spend(count, at: .key(controller.path(of: name)))
    return rows(
      blob, offsets: (0..<count).map { offset + $0 * stride }, layout, name, of: controller)
  }

  private static func rows(
    _ blob: [UInt8], offsets: [Int], _ layout: (count: Int, width: Int), _ name: String,
    of controller: ArchivedObject
  ) -> [[Double]]? {
    var rows: [[Double]] = []
    for offset in offsets {
      let row = (0..<layout.count).map { number -> Double in
        let start = offset + number * layout.width
        let pattern = blob[start..<start + layout.width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return layout.width == 8
          ? Double(bitPattern: pattern)
          : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
      }
      guard row.allSatisfy({ $0.isFinite && $0.magnitude < 1e15 }) else {
        controller.mismatch("\(name)-data", expected: "finite numbers", found: "others")
        return nil
      }
      rows.append(row.map(\.tidy))
    }
    return rows
  }
}
