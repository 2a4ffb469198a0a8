import ParticlesCore
import ParticlesPlatform
import Testing

@testable import ParticlesModel

/// Simpler properties in the place of others, for formats that have no others: checked by adding small steps.
@Suite("Reductions of properties") struct ReductionTests {
  /// The way of a particle that a law slows, in many steps.
  private func way(
    _ law: Emitter.DragLaw?, _ strength: Double, limit: Double, from start: Double,
    over life: Double
  ) -> Double {
    let steps = 200_000
    let dt = life / Double(steps)
    var (speed, way) = (start, 0.0)
    for _ in 0..<steps {
      way += speed * dt
      switch law {
      case nil: speed = max(speed + strength * dt, 0)
      case .perFrame60: speed *= pow(1 - strength, 60 * dt)
      case .exponential, .euler: speed *= 1 - strength * dt
      case .constant: speed = max(speed - strength * dt, 0)
      case .limit: if speed > limit { speed -= (speed - limit) * strength * dt }
      }
    }
    return way
  }

  @Test("the share of the speed is that at which a slowed particle travels as far")
  func speedShares() throws {
    let laws: [(Emitter.DragLaw?, Double)] = [
      (.perFrame60, 0.02), (.exponential, 0.8), (.euler, 0.8), (.constant, 20), (.constant, 90),
      (.limit, 3), (nil, -10), (nil, 15),
    ]
    for (law, strength) in laws {
      var force =
        law.map { Force.drag($0, strength: .constant(strength)) }
        ?? Force(.linear, strength: .constant(strength))
      force.limit = 30
      for (speed, life) in [(100.0, 2.0), (50, 0.5)] {
        let share = try #require(force.speedShare(from: speed, over: life))
        let expected = way(law, strength, limit: 30, from: speed, over: life) / (speed * life)
        #expect(abs(share - expected) < 0.002, "\(String(describing: law)) \(speed): \(share)")
      }
      #expect(force.speedShare(from: 100, over: 0) == nil)
      let needsSpeed = [nil, .constant, .limit].contains(law)
      #expect((force.speedShare(from: 0, over: 1) == nil) == needsSpeed)
    }
  }

  /// Mean, and means of the squares, of directions as seen from the front, of many samples.
  private func sampled(isFlat: Bool) -> (mean: Double, along: Double, across: Double) {
    var sums = (0.0, 0.0, 0.0)
    let count = 400
    for first in 0..<count {
      for second in 0..<count {
        let (u, v) = ((Double(first) + 0.5) / Double(count), (Double(second) + 0.5) / Double(count))
        let height = isFlat ? 0 : 2 * v - 1
        let (sine, cosine) = sineAndCosine(degrees: 360 * u)
        let radius = (1 - height * height).squareRoot()
        sums.0 += radius * cosine
        sums.1 += radius * cosine * radius * cosine
        sums.2 += radius * sine * radius * sine
      }
    }
    let all = Double(count * count)
    return (sums.0 / all, sums.1 / all, sums.2 / all)
  }

  @Test("random directions are as wide as many of them", arguments: [true, false])
  func randomDirections(isFlat: Bool) throws {
    var launch = Launch()
    launch.direction.mode = .random
    let front = try #require(launch.front(isFlat: isFlat))
    let expected = sampled(isFlat: isFlat)
    #expect(abs(front.mean - expected.mean) < 1e-3)
    #expect(abs(front.along * front.along - expected.along) < 1e-3)
    #expect(abs(front.across * front.across - expected.across) < 1e-3)
  }

  private func emitter(_ change: (inout Emitter) -> Void) -> Emitter {
    var emitter = Emitter(name: "a")
    (emitter.lifetime, emitter.render.blend) = (4, Blend(.alpha))
    change(&emitter)
    return emitter
  }

  @Test("the visible life ends where size or alpha reaches 0 for good")
  func sightEnds() throws {
    let falling = Curve(through: [(0, 1), (0.25, 0), (0.5, 1), (0.75, 0), (1, 0)])
    let cases: [(property: String?, share: Double, age: Double?, (inout Emitter) -> Void)] = [
      (nil, 0, nil, { _ in }),
      ("size.width", 0.75, nil, { $0.size.width = Track(from: 0, to: 8, curve: falling) }),
      (nil, 0, nil, { $0.size.width = Track(from: 0, to: 8, curve: falling, rate: 1) }),
      ("size.width", 0.5, 2, { $0.size.width = Track(from: 8, rate: -4) }),
      ("color.opacity", 0.75, nil, { $0.color.opacity = Track(from: 0, to: 1, curve: falling) }),
      ("color.opacity", 0.25, 1, { $0.color.opacity = Track(from: 1, rate: -1) }),
      ("color.base", 0.5, 2, { $0.color.base.rate = ColorRate(0, 0, 0, -0.5) }),
      (nil, 0, nil, { $0.color.base.rate = ColorRate(0, 0, 0, 0.5) }),
      (nil, 0, nil, { $0.color.base.rate = ColorRate(-1, 0, 0, 0) }),
      // What is negative at first was never seen.
      (nil, 0, nil, { $0.size.width = Track(from: .range(-2, 8), rate: -4) }),
      (
        nil, 0, nil,
        {
          $0.color.base.from = .constant(Color(1, 1, 1, -0.25))
          $0.color.base.rate = ColorRate(0, 0, 0, -0.5)
        }
      ),
      // The first end counts.
      (
        "color.opacity", 0.25, 1,
        {
          $0.size.width = Track(from: 8, rate: -4)
          $0.color.opacity = Track(from: 1, rate: -1)
        }
      ),
      // Without alpha, particles of this mode are seen.
      (
        nil, 0, nil,
        {
          $0.render.blend = Blend(.replace)
          $0.color.opacity = Track(from: 1, rate: -1)
        }
      ),
    ]
    for (index, (property, share, age, change)) in cases.enumerated() {
      let end = emitter(change).sightEnd
      #expect(end?.property == property, "case \(index)")
      guard let end, property != nil else { continue }
      #expect(abs(end.share - share) < 1e-2, "case \(index): \(end.share)")
      #expect(end.age?.mean == age, "case \(index)")
      let shorter = emitter(change).ending(at: end)
      #expect(abs(shorter.lifetime.mean - 4 * share) < 0.05, "case \(index)")
      #expect(shorter.sightEnd == nil || index == 1 || index == 4, "case \(index)")
    }
  }

  @Test("factors of OpenGL with the meaning of a mode have its name, and others the closest one")
  func blendNames() {
    func custom(
      _ source: Int?, _ destination: Int?, _ premultiply: Emitter.Premultiply = .always
    ) -> Blend {
      var blend = Blend(.custom)
      (blend.source, blend.destination, blend.premultiply) = (source, destination, premultiply)
      return blend
    }
    let exact: [(Blend, BlendMode)] = [
      (custom(1, 771), .alpha), (custom(1, 1), .add), (custom(1, 769), .screen),
      (custom(775, 1), .screen), (custom(770, 771, .auto), .alpha), (custom(770, 1, .auto), .add),
    ]
    for (blend, mode) in exact {
      #expect(blend.named == Blend(mode) && blend.nearestMode == mode)
      var other = blend
      other.equation = .reverseSubtract
      #expect(other.named == other)
      other = blend
      other.additions["x"] = .int(1)
      #expect(other.named == other)
    }
    let close: [(Blend, BlendMode)] = [
      (custom(770, 771), .alpha), (custom(0, 768), .multiply), (custom(774, 0), .multiply),
      (custom(1, 0), .replace), (custom(770, 1), .add), (custom(770, 772), .add),
      (custom(nil, nil), .alpha), (custom(775, 1, .auto), .add),
    ]
    for (blend, mode) in close {
      #expect(blend.named == blend)
      #expect(blend.nearestMode == mode, "\(blend.json.line)")
    }
    for mode in [BlendMode.alpha, .add, .subtract, .screen, .multiply, .replace] {
      #expect(Blend(mode).named == Blend(mode) && Blend(mode).nearestMode == mode)
    }
  }

  @Test("what formats with simple curves can have")
  func simpleCurves() {
    let (first, last) = (CurveKey(0, 0), CurveKey(1, 1))
    let sloped = CurveKey(0.5, 1, outSlope: 2)
    func step(_ curve: Curve) -> [Bool] { [curve.isPolygonal, curve.hasOneInterpolation] }
    #expect(step(Curve([first, last])) == [true, true])
    #expect(step(Curve([first, last], .step)) == [false, true])
    #expect(step(Curve([first, last], .cubic)) == [false, true])
    #expect(step(Curve([first, last], extend: .loop)) == [false, false])
    #expect(step(Curve([first, sloped, last], .cubic)) == [false, false])
    #expect(step(Curve([first, sloped, last])) == [true, true])
    let mixed = CurveKey(0.5, 1, interpolation: .step)
    #expect(step(Curve([first, mixed, last])) == [false, false])
    #expect(step(Curve([mixed, last])) == [false, true])
  }

  @Test("a cubic curve is smooth at its keys, and its slopes are those of the neighbours")
  func cubicCurves() {
    let curve = Curve(
      [CurveKey(0, 0), CurveKey(0.25, 1), CurveKey(0.5, 0.5), CurveKey(1, 2)], .cubic)
    for (index, key) in curve.keys.enumerated() {
      #expect(abs(curve.value(at: key.time) - key.value) < 1e-12)
      let d = 1e-6
      let before = (curve.value(at: key.time) - curve.value(at: key.time - d)) / d
      let behind = (curve.value(at: key.time + d) - curve.value(at: key.time)) / d
      if index > 0 { #expect(abs(before - curve.inSlope(index)) < 1e-3) }
      if index < 3 { #expect(abs(behind - curve.outSlope(index)) < 1e-3) }
    }
    #expect(curve.outSlope(1) == 1 && abs(curve.outSlope(2) - 1 / 0.75) < 1e-9)
  }

  @Test("a choice is by weight, if the weights fit, and there is none among nothing")
  func picks() {
    #expect(pick(0.5, from: 0, weights: []) == nil && pick(0, from: 0, weights: [1]) == nil)
    let even = [0, 0.24, 0.25, 0.5, 0.99, 1, -1, 2, .nan].map { pick($0, from: 4, weights: []) }
    #expect(even == [0, 0, 1, 2, 3, 3, 0, 3, 0])
    let weighted = [0, 0.09, 0.11, 0.39, 0.41, 0.99].map {
      pick($0, from: 3, weights: [1, 3, 6])
    }
    #expect(weighted == [0, 0, 1, 1, 2, 2])
    for weights in [[1, 2], [0, 0, 0], [.infinity, 1, 1]] as [[Double]] {
      #expect(pick(0.5, from: 3, weights: weights) == 1)
    }
  }

  @Test("times are even from 0 to 1")
  func times() {
    #expect([0, 1, 2, 3, 5].map { KeyFrames.evenTimes($0).last } == [0, 0, 1, 1, 1])
    #expect(KeyFrames.evenTimes(3) == [0, 0.5, 1] && KeyFrames.evenTimes(5)[1] == 0.25)
  }

  @Test("the texts of colours")
  func colors() {
    let texts: [(String, [Double]?)] = [
      ("#ffffff", [1, 1, 1, 1]), ("#fff", [1, 1, 1, 1]), ("#000", [0, 0, 0, 1]),
      ("#0f08", [0, 1, 0, 0.5333]), ("#ff000080", [1, 0, 0, 0.502]),
      ("#00F", [0, 0, 1, 1]), ("fff", nil), ("#ff", nil), ("#fffff", nil), ("#fffffff", nil),
      ("#fffffffff", nil), ("#ggg", nil), ("", nil), ("#", nil), ("f#ff", nil), ("####", nil),
    ]
    for (text, channels) in texts {
      let color = Color(hexadecimal: text)
      #expect(color.map { [$0.red, $0.green, $0.blue, $0.alpha] } == channels, "\(text)")
    }
    #expect(Color.white == Color(1, 1, 1, 1) && Color.black == Color(0, 0, 0, 1))
    #expect(Color.clear == Color(0, 0, 0, 0))
  }

  @Test("formulas of paths have factors on both sides of their signs")
  func formulas() throws {
    for text in ["2*x", "x/2", "1+x*x", "-(x-1)", "2*3*x/x"] { _ = try PathFormula(text) }
    for text in ["2*", "*2", "x/", "/x", "1+", "(x", "x)", "2*/x", "", "2**x", "x x"] {
      #expect(throws: (any Error).self, "\(text)") { try PathFormula(text) }
    }
    for function in ["sin", "cos", "tan", "abs", "sqrt", "floor", "ceil", "round", "sign"] {
      _ = try PathFormula("\(function)(x + 1)")
      for text in ["", " x)", "(x", "()", "(x, 1)", " x", "x"] {
        #expect(throws: (any Error).self, "\(text)") { try PathFormula(function + text) }
      }
    }
    for function in ["min", "max", "pow"] {
      _ = try PathFormula("\(function)(x, 1 + x)")
      for text in ["", " x, 1)", "(x 1)", "(x, 1", "()", "(x)", "(, 1)", "(x,)", "(x, 1, 2)"] {
        #expect(throws: (any Error).self, "\(text)") { try PathFormula(function + text) }
      }
    }
  }

  @Test("straight lines in the place of an orbit do not depend on the unit of time")
  func straightened() throws {
    // Particles that pass the centre spread less at first, and then more than evenly.
    for start in [-0.2, -1, 0, 1] as [Double] {
      let found = try [0.01, 1, 100].map { (life: Double) in
        var emitter = Emitter()
        emitter.lifetime = .constant(life)
        emitter.motion.mode = .orbit
        var orbit = Emitter.Orbit()
        orbit.angle = .range(0, 360)
        orbit.radius = Track(from: .constant(start), to: 1.8)
        emitter.motion.orbit = orbit
        let straight = try #require(emitter.straightened)
        return (
          speed: straight.emitter.launch.speed.mean * life, rest: straight.rest,
          width: straight.emitter.shape.size.x
        )
      }
      #expect(found[0].rest < (start < 0 ? 0.5 : 0.1))
      for other in found {
        #expect(abs(other.rest - found[0].rest) < 1e-6)
        #expect(abs(other.speed - found[0].speed) < 1e-6)
        #expect(abs(other.width - found[0].width) < 1e-6)
      }
    }
  }
}
