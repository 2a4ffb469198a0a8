internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel

/// Conversions: one typical file, and whether the cost per emitter stays the same for many emitters.
extension Arena {
  private static let counts = [100, 200, 400, 800, 1600, 3200]

  /// The largest effect beside the smaller ones.
  func exports(_ operation: Operation, to format: String) throws -> Contest {
    var contestants = try Self.counts.map { try Self.export(of: $0, to: format) }
    let ours = contestants.removeLast()
    return Contest(operation: operation, shape: shape, ours: ours, peers: contestants)
  }

  /// Exports an effect of many emitters into memory.
  static func export(of count: Int, to format: String) throws -> Contestant {
    let format = try Self.format(format)
    let package = try EffectPackage(manyEmitters(count))
    var exported = Exported(parts: [])
    return Contestant(
      label: "\(count) emitters",
      work: .call { exported = try package.exported(as: format, fileName: "many") },
      check: {
        guard exported.parts.flatMap(\.emitters).count == count else {
          throw ChildProcess.Failure(text: "some of \(count) emitters were not exported")
        }
      }, count: count)
  }

  /// An effect of emitters that differ a little.
  private static func manyEmitters(_ count: Int) -> ParticleSystem {
    ParticleSystem(
      name: "Many",
      emitters: (0..<count).map { number in
        var emitter = Emitter(name: "emitter \(number)")
        emitter.emission.rate = .constant(Double(10 + number % 7))
        emitter.lifetime = .constant(1 + Double(number % 5) / 4)
        emitter.launch.speed = 50
        emitter.launch.spread = 10
        return emitter
      })
  }

  /// Writes a typical effect as a file of SpriteKit's. Another process does, so that the memory of
  /// this one stays small.
  func writeEffect(to path: String) throws {
    let document = self.path("document.particles")
    for path in [document, path] { try Files.clear(path) }
    _ = try ChildProcess(words: [tool, "new", document]).run()
    _ = try ChildProcess(words: [tool, "convert", document, "-o", path]).run()
  }

  private static func format(_ name: String) throws -> ParticleFormat {
    guard let format = FormatRegistry.standard[name] else {
      throw ChildProcess.Failure(text: "there is no format '\(name)'")
    }
    return format
  }
}
