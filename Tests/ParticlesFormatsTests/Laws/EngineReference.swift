import Foundation
import ParticlesCore
import Testing

/// The few formulas of engines that conversions depend on, written from the laws that were measured in
/// running engines (`../shared/referees/laws.md`), and nothing of the library: files are read by
/// Foundation's property lists and by a search for attributes.
enum EngineReference {
  /// The numbers of an emitter file by their keys, spelled as in property lists.
  struct File {
    var numbers: [String: Double] = [:]

    init(propertyList bytes: [UInt8]) throws {
      let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      for (key, value) in try #require(list as? [String: Any]) {
        if let number = value as? NSNumber { numbers[key] = number.doubleValue }
      }
    }

    init(starling bytes: [UInt8]) throws {
      let text = String(decoding: bytes, as: UTF8.self)
      for element in text.split(separator: "<").dropFirst() {
        let name = String(element.prefix { $0.isLetter })
        for part in element.split(separator: "\"").indices where part % 2 == 0 {
          let pieces = element.split(separator: "\"", omittingEmptySubsequences: false)
          guard pieces.indices.contains(part + 1), let number = Double(pieces[part + 1]) else {
            continue
          }
          let attribute = pieces[part].filter(\.isLetter)
          let suffix = attribute.hasSuffix("value") ? "" : Self.suffix(of: attribute)
          numbers[name + suffix] = number
        }
      }
    }

    private static func suffix(of attribute: String) -> String {
      for name in ["red", "green", "blue", "alpha"] where attribute.hasSuffix(name) {
        return name.prefix(1).uppercased() + name.dropFirst()
      }
      return String(attribute.suffix(1))
    }

    subscript(key: String) -> Double { numbers[key] ?? 0 }
  }

  /// Engines whose files have equal keys.
  enum Engine {
    case cocos2d, starling

    /// cocos2d 8: each end is cut at 0 when it is drawn. Starling 4: it is at least 0.1.
    var leastSize: Double { self == .cocos2d ? 0 : 0.1 }
    /// cocos2d 8: each channel of each end is within 0…1. Starling does not limit them.
    var limitsColors: Bool { self == .cocos2d }
  }

  /// A drawn number: base + variance · u, with u in −1…1.
  static func drawn(_ file: File, _ key: String, _ variance: String, _ u: Double) -> Double {
    file[key] + file[variance] * u
  }

  /// The size of a particle at an age, with the random numbers of both ends. Law 7 of cocos2d and 4 of
  /// Starling: the size changes by (end − start) ÷ life per second. cocos2d cuts it at 0 at every step.
  static func size(
    _ file: File, _ engine: Engine, age: Double, life: Double, start: Double = 0, end: Double = 0
  ) -> Double {
    let first = max(
      drawn(file, "startParticleSize", "startParticleSizeVariance", start), engine.leastSize)
    // Law 8: an end size of −1 keeps the start size, in cocos2d.
    if engine == .cocos2d, file["finishParticleSize"] == -1 { return first }
    let last = max(
      drawn(file, "finishParticleSize", "finishParticleSizeVariance", end), engine.leastSize)
    let size = first + (last - first) / life * age
    return engine == .cocos2d ? max(size, 0) : size
  }

  /// A channel of the colour at an age, with one random number for both ends.
  static func channel(
    _ file: File, _ engine: Engine, _ name: String, age: Double, life: Double, _ u: Double = 0
  ) -> Double {
    func end(_ key: String) -> Double {
      let number = drawn(file, key + name, "\(key)Variance\(name)", u)
      return engine.limitsColors ? min(max(number, 0), 1) : number
    }
    let (first, last) = (end("startColor"), end("finishColor"))
    return first + (last - first) / life * age
  }

  /// The particles per second. cocos2d 2: capacity ÷ mean life. Starling: since September 2018
  /// (capacity − 1) ÷ life, before that capacity ÷ life, with a life of at least 0.01.
  static func rate(_ file: File, _ engine: Engine, life: Double) -> Double {
    engine == .cocos2d
      ? file["maxParticles"] / life : (file["maxParticles"] - 1) / max(life, 0.01)
  }

  /// Mean and standard deviation of a uniform number that is cut at a bound, by counting.
  static func cut(_ low: Double, _ high: Double, at bound: Double) -> (mean: Double, sd: Double) {
    let numbers = (0..<100_000).map {
      max(low + (high - low) * (Double($0) + 0.5) / 100_000, bound)
    }
    let mean = numbers.reduce(0, +) / 100_000
    let square = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
    return (mean, square.squareRoot())
  }

  /// The result of an engine on a background of one channel, 0…1, for a texel and a particle with these
  /// alphas and the colour 1. From the cards of cocos2d-html5 and the published source of cocos2d-x and
  /// of Starling. Textures are premultiplied. html5 multiplies by the source alpha for every source
  /// factor, cocos2d-x and Starling use the factor. Colours are premultiplied for (1, 771) only.
  static func blended(
    html5: Bool, _ source: Int, _ destination: Int, texel: Double, alpha: Double, over back: Double
  ) -> Double {
    let isPremultiplied = (source, destination) == (1, 771)
    let color = texel * (isPremultiplied ? alpha : 1)
    let cover = texel * alpha
    let factors: [Int: Double] = [
      0: 0, 1: 1, 770: cover, 771: 1 - cover, 769: 1 - color, 775: 1 - back,
    ]
    let first = html5 ? cover : factors[source, default: 1]
    return min(color * first + back * factors[destination, default: 1], 1)
  }
}
