import ParticlesCore
import ParticlesModel

@testable import ParticlesFormats

// The example of CONTRIBUTING.md, word for word.

// begin example
/// Jets: JSON objects with a rate, a lifetime and a speed.
struct JetFamily: FieldFormat {
  typealias Reader = FieldReader<JetFamily>
  typealias Field = FieldValue
  typealias Surroundings = Void

  static let sources = [(name: "jet", title: "the manual of Jet 1.2, page 7")]
  static let widthSuffix = "Spread"

  let name = "jet"
  let engine = "Jet"
  let rootKeys = ["rate"]
  let nameKey = "title"

  var asset: Asset {
    var asset = Asset()
    asset.unit = .pixel
    return asset
  }

  let table = MappingTable<JetFamily>(
    unit: .pixel,
    [
      .idiom(["title"], "name of the emitter", from: "jet"),
      .value("rate", "emission.rate", { $1(&$0.emission.rate) }, .rate, from: "jet"),
      .value("life", "lifetime", { $1(&$0.lifetime) }, .life, standard: 1, from: "jet"),
      .value("speed", "launch.speed", { $1(&$0.launch.speed) }, .speedRange, from: "jet"),
      // Jet counts angles clockwise, from the top.
      .idiom(
        ["angle"], "launch.direction.angle", "exact, clockwise from +y", from: "jet",
        exact: [.spread2D],
        decode: { $1.launch.direction = Direction(angle: .constant(90 - $0.number("angle", 0))) },
        encode: { $0.set("angle", 90 - $0.emitter.launch.direction.angle.mean) }),
      .missing("size.height", { $0.size.height }, .sizeXY, "particles are always square"),
    ])
}

extension ParticleFormat {
  static let jet = ParticleFormat(
    JetFamily(), in: JSONSyntax.self, title: "Jet effect", extensions: ["jet"]
  ) { bytes, _ in bytes.beginsWithText("{") && bytes.contains("\"rate\"") }
}
// end example
