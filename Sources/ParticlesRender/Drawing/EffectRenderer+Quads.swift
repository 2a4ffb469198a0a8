package import ParticlesModel
package import ParticlesSimulation

/// The part of an image that a texture shows, for a program that draws quads itself.
package struct ShownTexture {
  /// The index of its image in `images`; nil for a white square.
  package var image: Int?
  /// The rectangle of the image, in pixels; it may exceed the image.
  package var region: (x: Int, y: Int, width: Int, height: Int) = (0, 0, 1, 1)
  /// Whether it is stored turned by 90° clockwise.
  package var isRotated = false
  /// Whether its colours are stored multiplied by alpha, and in linear light.
  package var (isStoredPremultiplied, isLight) = (false, false)
}

extension EffectRenderer {
  /// The quads of simulations as they are now, the lowest first, and their blend states, for a program that draws
  /// them itself.
  package func quads(of simulations: [Simulation]) -> (quads: [Quad], states: [BlendState]) {
    composer.make(of: simulations, (simulations.first?.profile ?? system.asset.profile).drawing)
  }

  /// The textures whose numbers the quads have so far.
  package var shownTextures: [ShownTexture] {
    let frames = sheets.frames
    return [ShownTexture()]
      + frames.cells.map { cell in
        let sprite = frames[cell.sprite]
        let reference =
          system.images.indices.contains(sprite.image) ? system.images[sprite.image] : nil
        return ShownTexture(
          image: sprite.image, region: frames.region(of: cell), isRotated: sprite.rotated,
          isStoredPremultiplied: reference?.alpha == .premultiplied,
          isLight: reference?.colorSpace == .linear)
      }
  }
}
