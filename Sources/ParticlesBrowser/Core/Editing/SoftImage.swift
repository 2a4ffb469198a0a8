internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

/// An image that is made of numbers, so that an effect can be begun without files: white, with the shape in alpha.
struct SoftImage: Sendable {
  /// The shapes.
  enum Kind: String, Sendable, CaseIterable { case dot, ring, spark, smoke }

  var kind: Kind
  /// Pixels of a side, 8 to 512. Default: 64.
  var size = 64
  /// How far the edge fades, 0 to 1. Default: 0.8.
  var softness = 0.8
  /// The width of a ring as a share of the radius, 0.02 to 1. Default: 0.2.
  var width = 0.2
  /// The number of rays of a spark, 2 to 16. Default: 4.
  var rays = 4
  /// The details of smoke, 0 to 1. Default: 0.6.
  var roughness = 0.6
  /// The seed of smoke. Default: 1.
  var seed = 1

  /// - Throws: ``ParticlesCore/Rule/usage`` for a value out of its range.
  init(_ query: [String: String]) throws {
    guard let kind = (query["kind"]).flatMap(Kind.init) else {
      throw Diagnostic(
        .usage, "'kind'", expected: Kind.allCases.map(\.rawValue).joined(separator: ", "),
        found: query["kind"])
    }
    self.kind = kind
    func number(_ name: String, _ range: ClosedRange<Double>, _ standard: Double) throws -> Double {
      guard let text = query[name] else { return standard }
      guard let number = Double(text), range.contains(number) else {
        throw Diagnostic(
          .usage, "'\(name)'", expected: "\(range.lowerBound) to \(range.upperBound)", found: text)
      }
      return number
    }
    size = Int(saturating: try number("size", 8...512, 64))
    softness = try number("softness", 0...1, softness)
    width = try number("width", 0.02...1, width)
    rays = Int(saturating: try number("rays", 2...16, 4))
    roughness = try number("roughness", 0...1, roughness)
    seed = Int(saturating: try number("seed", 0...1e9, 1))
  }

  func png() throws -> [UInt8] { try PNG.encode(bitmap) }

  var bitmap: Bitmap {
    switch kind {
    case .dot: mask { x, y in fade((x * x + y * y).squareRoot()) }
    case .ring:
      mask { x, y in
        let radius = (x * x + y * y).squareRoot()
        let middle = 1 - max(width, 0.05)
        let distance = (radius - middle).magnitude / max(width, 0.05)
        return fade(distance) * edge(radius)
      }
    case .spark:
      mask { x, y in
        let radius = (x * x + y * y).squareRoot()
        let angle = atan2(y, x) * Double(rays) / 2
        let ray = pow(cos(angle).magnitude, 2 + 60 * (1 - softness))
        let core = exp(-radius * radius * 40)
        return min(1, core + ray * pow(max(0, 1 - radius), 2)) * edge(radius)
      }
    case .smoke: smoke
    }
  }

  private var smoke: Bitmap {
    let numbers = RandomNumbers(seed: UInt64(seed))
    let noise = Noise { row, column in
      numbers.unit(
        emitter: UInt64(column), particle: UInt64(row), channel: RandomChannel(rawValue: 0))
    }
    return mask { x, y in
      let radius = (x * x + y * y).squareRoot()
      let detail = noise.fractal(2.1 * x + 5, 2.1 * y + 5, octaves: 5)
      let body = (1 - radius + 2 * roughness * (detail - 0.5)) / max(0.05, softness)
      return min(1, max(0, body)) * edge(radius) * (1 - roughness * 0.5 + roughness * detail)
    }
  }

  /// 1 in the middle to 0 at a distance of 1.
  private func fade(_ distance: Double) -> Double {
    let start = 1 - max(softness, 0.02)
    let share = min(1, max(0, (distance - start) / (1 - start)))
    return 0.5 + 0.5 * cos(share * .pi)
  }

  /// Nothing is cut at the border.
  private func edge(_ radius: Double) -> Double { min(1, max(0, (1 - radius) / 0.06)) }

  private func mask(_ alpha: (Double, Double) -> Double) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in (1, 1, 1, min(1, max(0, alpha(x, y)))) }
  }
}
