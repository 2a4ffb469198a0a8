internal import ParticlesCore
internal import ParticlesModel

// What particles look like: images, and figures that the engine draws.

extension TSParticlesFamily {
  /// The figures of which each particle shows one: a name, or a list of names. A circle without one.
  static func figures(of emitter: JSONValue) -> [String] {
    guard let type = emitter["particles.shape.type"], type != .null else { return ["circle"] }
    return (type.array ?? [type]).compactMap(\.string)
  }

  /// The images, if the figure is one: a file may have one that is left over from another figure.
  func sprites(of reader: TreeReader<TSParticlesFamily>) throws -> [TreeSprite] {
    let figures = Self.figures(of: reader.value)
    guard figures.contains("image") || figures.contains("images") else { return [] }
    var found: [TreeSprite] = []
    for key in [
      "particles.shape.image", "particles.shape.options.image", "particles.shape.options.images",
    ] {
      guard let value = reader[key] else { continue }
      for image in value.array ?? [value] {
        guard let source = image["src"]?.string, !source.isEmpty else { continue }
        found.append(TreeSprite(path: key, references: [source]))
      }
    }
    return Array(found.prefix(imageCount))
  }

  /// What is not enabled, strokes without a width, and options of figures that no particle has.
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool {
    if let isEnabled = value["enable"], !isEnabled.isTruthy { return true }
    switch path {
    case "particles.move.bounce", "particles.move.vibrate", "particles.move.warp",
      "particles.reduceDuplicates":
      return !value.isTruthy
    case "particles.move.out_mode", "particles.move.outMode", "particles.move.outModes":
      // Particles live so long that they leave the canvas in any case.
      let modes = value.object.map { $0.members.map(\.value) } ?? [value]
      return modes.allSatisfy { $0.string == "out" }
    case "particles.shape.stroke", "particles.stroke":
      return (value.array ?? [value]).allSatisfy { ($0["width"]?.double ?? 0) <= 0 }
    default: break
    }
    for folder in ["particles.shape.options.", "particles.shape."] where path.hasPrefix(folder) {
      let option = path.dropFirst(folder.count)
      let known = ["polygon", "star", "character", "char", "text", "emoji"]
      guard known.contains(String(option)) else { return false }
      let figures = Self.figures(of: emitter)
      return !figures.contains(String(option))
        && !(option.hasPrefix("char") && figures.contains { $0.hasPrefix("char") })
        // A star takes its number of points from here, too.
        && !(option == "polygon" && folder == "particles.shape." && figures.contains("star"))
    }
    return false
  }
}
