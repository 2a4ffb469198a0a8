import ParticlesCore
import ParticlesModel
import Testing

/// A cropped track has, at each share of its life, the value of the whole at this share of the end.
@Suite("Cropped tracks")
struct CroppingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var track: Track
    /// Curves that are not made of straight lines become some.
    var tolerance = 1e-12
    var testDescription: String
  }

  private static let curves: [(String, Curve, Double)] = [
    ("linear", .linear, 1e-12),
    ("polygon", Curve(through: [(0, 0.2), (0.25, 1), (0.5, -1), (1, 0.5)]), 1e-12),
    ("within", Curve(through: [(0.3, 1), (0.6, 3)]), 1e-12),
    ("cubic", Curve([CurveKey(0, 0), CurveKey(0.5, 1), CurveKey(1, 0)], .cubic), 0.02),
    ("loop", Curve([CurveKey(0, 0), CurveKey(0.5, 1)], extend: .mirror), 0.15),
  ]

  static let cases: [Case] = {
    var cases: [Case] = []
    for relative in [false, true] {
      for (from, to) in [
        (Value.constant(2), Value.constant(10)), (3, -5), (.range(1, 4), 7), (1, .range(2, 6)),
        (.range(-1, 1), .range(5, 9)), (.oneOf([1, 2]), 4),
      ] as [(Value, Value)] {
        for (name, curve, tolerance) in curves {
          var track = Track(from: from, to: to, relative: relative, curve: curve, rate: 0.5)
          func add(_ more: String, _ tolerance: Double) {
            cases.append(
              Case(
                track: track, tolerance: tolerance,
                testDescription:
                  "\(relative ? "relative" : "absolute") \(from.bounds) to \(to.bounds), \(name)\(more)"
              ))
          }
          add("", tolerance * 10)
          track.range = Interval(-1, 4)
          add(" within a range", tolerance * 10)
          (track.range, track.warp) = (nil, Curve(through: [(0, 0), (0.5, 0.25), (1, 1)]))
          add(", warped", 0.5)
        }
      }
    }
    return cases
  }()

  @Test("a track", arguments: cases)
  func track(_ item: Case) {
    let track = item.track
    for end in [0.125, 0.25, 0.5, 0.8] {
      let cropped = track.cropped(to: end)
      #expect(cropped.from == track.from && cropped.relative == track.relative)
      #expect(cropped.rate == track.rate && cropped.range == track.range)
      for sample in [0.0, 0.3, 1] {
        func pick(_ value: Value?) -> Double { value?.sample(sample) ?? 0 }
        for step in 0...16 {
          let x = Double(step) / 16
          let expected = track.value(
            at: x * end, age: 1, from: pick(track.from), to: pick(track.to), rate: 0.5)
          let found = cropped.value(
            at: x, age: 1, from: pick(cropped.from), to: pick(cropped.to), rate: 0.5)
          #expect((found - expected).magnitude <= item.tolerance, "end \(end), x \(x)")
        }
      }
    }
  }

  @Test("a line that is cropped stays one, with the number that it has there")
  func lines() {
    #expect(Track(from: 2, to: 10).cropped(to: 0.25) == Track(from: 2, to: 4))
    #expect(
      Track(from: 2, to: 8, relative: true).cropped(to: 0.25)
        == Track(from: 2, to: 2, relative: true))
    #expect(
      Track(from: 2, to: -8, relative: true).cropped(to: 0.5)
        == Track(from: 2, to: -4, relative: true))
  }

  @Test("a track that does not depend on the life, or an end outside of it, changes nothing")
  func unchanged() {
    var over = Track(from: 1, to: 2)
    over.over = .age
    #expect(over.cropped(to: 0.5) == over)
    let constant = Track(from: 1, rate: 3)
    #expect(constant.cropped(to: 0.5) == constant)
    let track = Track(from: 1, to: 2)
    for end: Double in [0, -1, 1, 1.5, .nan, .infinity] { #expect(track.cropped(to: end) == track) }
    for end: Double in [0, -1, 1, 2] { #expect(Curve.linear.cropped(to: end) == .linear) }
  }

  @Test("a curve keeps its keys before the end, and has one there")
  func keys() {
    let curve = Curve(through: [(0, 1), (0.2, 3), (0.5, 0), (1, 2)])
    #expect(curve.cropped(to: 0.4) == Curve(through: [(0, 1), (0.5, 3), (1, 1)]))
    #expect(curve.cropped(to: 0.5) == Curve(through: [(0, 1), (0.4, 3), (1, 0)]))
    let steps = Curve([CurveKey(0, 1), CurveKey(0.5, 2)], .step)
    #expect(steps.cropped(to: 0.8).keys.count == 33)
    #expect(curve.isPolygonal && !steps.isPolygonal)
    #expect(!Curve([CurveKey(0, 1, interpolation: .cubic), CurveKey(1, 2)]).isPolygonal)
    #expect(!Curve([CurveKey(0, 1), CurveKey(1, 2)], extend: .loop).isPolygonal)
  }

  /// A curve whose value at a share is 8 · share + 1.
  private static let track = Track(from: 1, to: 9)

  @Test("everything of an emitter that changes over life is cropped, and nothing else")
  func emitter() {
    var emitter = Emitter(name: "e")
    let paths: [(String, WritableKeyPath<Emitter, Track>)] = [
      ("width", \.size.width), ("angle", \.rotation.angle), ("velocity", \.rotation.velocity),
      ("opacity", \.color.opacity), ("intensity", \.color.intensity), ("mix", \.color.mix),
      ("z", \.render.z), ("orbitVelocity", \.motion.orbitVelocity), ("drift x", \.motion.drift.x),
      ("drift y", \.motion.drift.y), ("drift z", \.motion.drift.z),
    ]
    for (_, path) in paths { emitter[keyPath: path] = Self.track }
    let optional: [(String, WritableKeyPath<Emitter, Track?>)] = [
      ("height", \.size.height), ("speed", \.motion.speed), ("maxSpeed", \.motion.maxSpeed),
      ("direction", \.motion.direction),
    ]
    for (_, path) in optional { emitter[keyPath: path] = Self.track }
    var orbit = Emitter.Orbit()
    orbit.radius = Self.track
    emitter.motion.orbit = orbit
    var force = Force(.gravity)
    (force.strength, force.vector.x, force.vector.z) = (Self.track, Self.track, Self.track)
    emitter.forces = [force, force]
    emitter.lifetime = 4
    let cropped = emitter.cropped(to: 0.5)
    let expected = Track(from: 1, to: 5)
    for (name, path) in paths { #expect(cropped[keyPath: path] == expected, "\(name)") }
    for (name, path) in optional { #expect(cropped[keyPath: path] == expected, "\(name)") }
    #expect(cropped.motion.orbit?.radius == expected)
    for force in cropped.forces {
      #expect(
        force.strength == expected && force.vector.x == expected && force.vector.z == expected)
    }
    #expect(cropped.lifetime == 4 && cropped.name == "e")
  }

  @Test("colours: both ends, curves, gradients and their channels")
  func colors() {
    func cropped(_ change: (inout ColorTrack) -> Void) -> (old: ColorTrack, new: ColorTrack) {
      var emitter = Emitter(name: "e")
      change(&emitter.color.base)
      return (emitter.color.base, emitter.cropped(to: 0.25).color.base)
    }
    let (red, blue) = (Color(1, 0, 0, 1), Color(0, 0.5, 1, 0))
    func check(
      _ tracks: (old: ColorTrack, new: ColorTrack), _ tolerance: Double = 1e-9,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      for step in 0...8 {
        let x = Double(step) / 8
        let expected = tracks.old.color(
          at: x * 0.25, age: 0, from: tracks.old.from.mean, to: tracks.old.to?.mean ?? .white)
        let found = tracks.new.color(
          at: x, age: 0, from: tracks.new.from.mean, to: tracks.new.to?.mean ?? .white)
        for (a, b) in zip(expected.channels, found.channels) {
          #expect((a - b).magnitude <= tolerance, "\(x)", sourceLocation: sourceLocation)
        }
      }
    }
    check(cropped { ($0.from, $0.to) = (.constant(red), .constant(blue)) })
    #expect(cropped { ($0.from, $0.to) = (.constant(red), .constant(blue)) }.new.curve == .linear)
    check(
      cropped {
        ($0.from, $0.to) = (.constant(red), .constant(blue))
        $0.curve = Curve(through: [(0, 1), (0.1, 0), (1, 1)])
      })
    check(cropped { ($0.from, $0.to) = (.range(red, blue), .constant(blue)) })
    check(
      cropped {
        $0.gradient = Gradient([
          GradientKey(0, red), GradientKey(0.2, blue), GradientKey(1, .white),
        ])
      })
    check(
      cropped {
        $0.gradient = Gradient([GradientKey(0, red), GradientKey(1, blue)])
        $0.gradient?.interpolation = .cubic
      }, 0.01)
    check(
      cropped {
        $0.gradient = Gradient([GradientKey(0, .white)])
        $0.gradient?.red = Curve(through: [(0, 0), (0.125, 1), (1, 0)])
        $0.gradient?.green = Curve(through: [(0, 1), (1, 0)])
        $0.gradient?.blue = Curve(through: [(0, 0.5), (1, 1)])
        $0.gradient?.alpha = Curve(through: [(0, 1), (0.2, 0)])
      })
  }
}

@Suite("Clamped values and curves")
struct ClampingTests {
  /// The mean and the deviation of a range whose samples are clamped, from a sum of many samples.
  private static func moments(_ low: Double, _ high: Double, _ range: Interval) -> (Double, Double)
  {
    let count = 20_000
    let samples = (0..<count).map {
      max(range.lower, min(range.upper, low + (high - low) * (Double($0) + 0.5) / Double(count)))
    }
    let mean = samples.reduce(0, +) / Double(count)
    let square = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    return (mean, square.squareRoot())
  }

  @Test(
    "samples of a range stay within the bounds, with the mean and no greater deviation",
    arguments: [
      (-1.0, 3.0), (-3, 0.5), (0.5, 9), (-5, 9), (-0.01, 1), (0, 1.01), (0.9, 1.1), (-10, 0.1),
      (0.9, 40), (-1, 2),
    ])
  func samples(low: Double, high: Double) throws {
    let value = Value.range(low, high, scope: .cycle).clampedSamples(to: .unit)
    guard case .uniform(let found) = value else {
      Issue.record("\(value) is no range")
      return
    }
    #expect(found.min >= -1e-12 && found.max <= 1 + 1e-12 && found.min < found.max)
    let (mean, deviation) = Self.moments(low, high, .unit)
    #expect((value.mean - mean).magnitude < 1e-4)
    let spread = (found.max - found.min) / 12.0.squareRoot()
    // Where it has room, it has the deviation of the clamped samples.
    let room = min(mean, 1 - mean) / 3.0.squareRoot()
    #expect((spread - min(deviation, room)).magnitude < 1e-3)
    #expect(value.scope == .cycle)
  }

  @Test("one open bound")
  func open() {
    let value = Value.range(-1, 3).clampedSamples(to: Interval(0, .infinity))
    let (mean, _) = Self.moments(-1, 3, Interval(0, 1e9))
    #expect(value.bounds.lower >= -1e-12 && (value.mean - mean).magnitude < 1e-3)
    let other = Value.range(-3, 1).clampedSamples(to: Interval(-.infinity, 0))
    #expect(other.bounds.upper <= 1e-12 && (other.mean + mean).magnitude < 1e-3)
  }

  @Test("values inside stay, values outside become the nearest bound, in each form")
  func forms() {
    let ramp = Value.ramp(.init(low: 2, high: 5, curve: .linear))
    for (value, expected) in [
      (0.5, 0.5), (0, 0), (1, 1), (-2, 0), (3, 1), (.range(0.2, 0.8), .range(0.2, 0.8)),
      (.range(0, 1), .range(0, 1)), (.range(-3, -1), 0), (.range(-3, 0), 0), (.range(1, 2), 1),
      (.range(2, 2), 1), (.range(0.5, 0.5), .range(0.5, 0.5)), (.oneOf([2, 3]), 1),
      (.oneOf([-1, 0.5]), .oneOf([-1, 0.5])), (.oneOf([-1, -2]), 0), (ramp, 1),
    ] as [(Value, Value)] {
      #expect(value.clampedSamples(to: .unit) == expected, "\(value)")
      #expect(value.clamped(to: .unit) == expected, "\(value)")
    }
    // Without restating it, a range that is partly inside stays as it is.
    #expect(Value.range(-1, 0.5).clamped(to: .unit) == .range(-1, 0.5))
  }

  @Test("colours: each channel of both ends is within 0 and 1")
  func colors() {
    var track = ColorTrack(.range(Color(-1, 0.2, 0.5, 2), Color(0.5, 0.4, 3, 4)))
    track.to = .constant(Color(-1, 0.5, 2, 1))
    track.clampSamples()
    #expect(track.to == .constant(Color(0, 0.5, 1, 1)))
    guard case .range(let range) = track.from else {
      Issue.record("\(track.from)")
      return
    }
    for (low, high) in zip(range.min.channels, range.max.channels) {
      #expect(low >= -1e-12 && high <= 1 + 1e-12 && low <= high)
    }
    #expect(range.min.green == 0.2 && range.max.green == 0.4 && range.min.alpha == 1)
    #expect((range.min.red + range.max.red) / 2 < 0.2 && range.max.red > 0.05)
    var same = ColorTrack(.range(Color(2, 2, 2, 2), Color(3, 4, 5, 6)))
    same.clampSamples()
    #expect(same.from == .constant(.white))
    var line = ColorTrack(.range(Color(-1, 0, 0, 0), Color(2, 1, 1, 1), .line))
    let before = line
    line.clampSamples()
    #expect(line == before)
  }

  @Test("a polygon within bounds has a key where it crosses one")
  func curves() {
    let range = Interval(0, 1)
    for curve in [
      Curve(through: [(0, -1), (1, 2)]), Curve(through: [(0, 2), (0.5, -2), (1, 0.5)]),
      Curve(through: [(0, 0), (0.3, 5), (0.6, 1), (1, -0.1)]), Curve(through: [(0, 3), (1, 4)]),
      Curve(through: [(0.2, -1), (0.8, 3)]),
    ] {
      let clamped = curve.clamped(to: range)
      #expect(clamped.isPolygonal && clamped.keys.allSatisfy { 0...1 ~= $0.value })
      for step in 0...100 {
        let x = Double(step) / 100
        #expect((clamped.value(at: x) - range.clamp(curve.value(at: x))).magnitude < 1e-9, "\(x)")
      }
    }
    let inside = Curve(through: [(0, 0), (0.5, 1), (1, 0.5)])
    #expect(inside.clamped(to: range) == inside)
    let cubic = Curve([CurveKey(0, 0), CurveKey(0.5, 1), CurveKey(1, 0)], .cubic)
    #expect(cubic.clamped(to: Interval(-1, 2)) == cubic)
    let cut = cubic.clamped(to: Interval(0.2, 0.5))
    for step in 0...64 {
      let x = Double(step) / 64
      let expected = Interval(0.2, 0.5).clamp(cubic.value(at: x))
      #expect((cut.value(at: x) - expected).magnitude < 1e-9)
    }
  }

  @Test("the last crossing of 0 is the time from which on a curve is not above it")
  func crossing() {
    func crossing(_ keys: [(Double, Double)]) -> Double? {
      Curve(keys.map { CurveKey($0.0, $0.1) }).lastCrossing
    }
    #expect(crossing([(0, 1), (1, 0.1)]) == nil)
    #expect(crossing([(0, -1), (1, 0)]) == 0 && crossing([(0, 0), (1, 0)]) == 0)
    for (keys, expected) in [
      ([(0, 1), (1, -1)], 0.5), ([(0, 1), (1, 0)], 1), ([(0, 1), (0.25, 0), (1, 0)], 0.25),
      ([(0, 1), (0.3, -1), (0.5, 1), (0.75, -3), (1, -1)], 0.5625),
      ([(0, -1), (0.5, 2), (1, -2)], 0.75),
    ] as [([(Double, Double)], Double)] {
      #expect((crossing(keys).map { ($0 - expected).magnitude } ?? 9) < 1e-9, "\(keys)")
    }
  }
}
