package import ParticlesModel
package import ParticlesCore

extension ParticleFormat {
  /// The knowledge about the laws of the engines that read the format: a line for every switch of each
  /// engine, that of ``Capabilities/profile`` first. Empty for archives, which hold documents.
  ///
  ///     for line in format.evidence {
  ///       print(line.engine, line.name, line.value, line.evidence.rawValue, line.source)
  ///     }
  package var evidence: [ParticleSystem.EngineLaw.Line] {
    guard !isArchive else { return [] }
    if let unknown = ParticleSystem.EngineLaw.unknown.first(where: { $0.formats.contains(name) }) {
      return unknown.lines
    }
    // The code for LÖVE sets the values of the document, and LÖVE moves the particles.
    if name == CodeFamily.Target.love.rawValue { return ParticleSystem.Profile.love.evidence }
    return capabilities?.profiles.flatMap(\.evidence) ?? []
  }
}

extension [ParticleSystem.EngineLaw.Line] {
  /// The engines as JSON, each with the switches of its law, and how they are known.
  package var json: JSONValue {
    var engines: [(engine: String, lines: [Element])] = []
    for line in self {
      if engines.last?.engine != line.engine { engines.append((line.engine, [])) }
      engines[engines.count - 1].lines.append(line)
    }
    return .array(
      engines.map { engine, lines in
        [
          "engine": .string(engine), "profile": .string(lines[0].profile.rawValue),
          "law": .array(
            lines.map {
              [
                "switch": .string($0.name), "value": .string($0.value),
                "evidence": .string($0.evidence.rawValue), "source": .string($0.source),
              ]
            }),
        ]
      })
  }
}
