package import ParticlesCore
internal import ParticlesModel

extension OpenedEffect {
  /// Returns findings with places that the user has. A file of another format becomes a package in memory: entries
  /// and keys of that are nowhere on disk, so the message names the image or the emitter.
  package func placing(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard case .imported = kind else { return findings }
    let emitters = findings.isEmpty ? [] : (try? package.system())?.emitters ?? []
    return findings.map { finding in
      var finding = finding
      let place = finding.location
      finding.location = Location(file: place.file)
      guard let thing = Self.name(of: place, emitters) else { return finding }
      finding.detail = [thing, finding.detail].compactMap(\.self).joined(separator: ": ")
      return finding
    }
  }

  /// The name of an image, or of an emitter with the property in it.
  private static func name(of place: Location, _ emitters: [Emitter]) -> String? {
    if let entry = place.entry, entry != EffectPackage.documentPath {
      return "'\(Files.lastComponent(of: entry))'"
    }
    guard case .key(let key) = place.position else { return nil }
    guard key.hasPrefix("emitters["), let end = key.firstIndex(of: "]"),
      let index = Int(key[key.index(key.startIndex, offsetBy: 9)..<end]),
      emitters.indices.contains(index), !emitters[index].name.isEmpty
    else { return key }
    let rest = key[key.index(after: end)...].drop { $0 == "." }
    return "emitter '\(emitters[index].name)'" + (rest.isEmpty ? "" : ", \(rest)")
  }
}
