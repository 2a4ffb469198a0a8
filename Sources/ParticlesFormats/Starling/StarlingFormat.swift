internal import ParticlesCore

extension ParticleFormat {
  /// Starling's particle systems, and those of Lanica, which differ in the root element only.
  public static let starling = ParticleFormat(
    name: "starling", title: "Starling particle system", extensions: ["pex", "lap"],
    recognise: { bytes, _ in
      bytes.beginsWithText("<")
        && StarlingXML.roots.contains { Array(bytes.prefix(4096)).contains("<\($0)") }
    },
    abilities: .starling,
    decode: { bytes, context in
      try CocosDecoder<StarlingXML>(context: context, dialect: .starling).decode(bytes)
    },
    encode: { system, context in
      try CocosEncoder<StarlingXML>(context: context, dialect: .starling).encode(system)
    })
}
