internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension ParticleSystem {
  /// The name of the emitter that a path leads into; nil if it leads elsewhere.
  func emitterName(at path: String) -> String? {
    guard path.hasPrefix("emitters["),
      let index = Int(path.dropFirst("emitters[".count).prefix { $0.isNumber }),
      emitters.indices.contains(index)
    else { return nil }
    return emitters[index].name
  }

  /// Leaves out what says nothing of the effect: where it came from, who wrote the file, how images
  /// are called in the package, and sprites and images that nobody shows.
  mutating func prepareForAudit() {
    asset.generator = nil
    asset.version = Self.version
    extensionsUsed.removeAll { $0 == Self.sourceExtension }
    extensions[Self.sourceExtension] = nil
    for index in emitters.indices {
      emitters[index].extensions[Self.sourceExtension] = nil
    }
    keepShownSprites()
    for index in images.indices {
      // What the bytes say of themselves goes with them, and the digest stands for the bytes.
      var image = ImageReference()
      image.sha256 = images[index].sha256
      (image.alpha, image.colorSpace) = (images[index].alpha, images[index].colorSpace)
      // Of an image that nobody has, there is the name.
      if image.sha256 == nil { image.uri = ImageFinder.baseName(of: images[index].uri) }
      images[index] = image
    }
  }
}
