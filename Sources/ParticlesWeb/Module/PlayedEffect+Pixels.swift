internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesRender
internal import ParticlesSimulation

extension PlayedEffect {
  /// A column of the appearance of an emitter's particles, in the order of `Spec/player.md`; nil if there is none.
  func column(_ index: Int, ofEmitter emitter: Int) -> UnsafePointer<Float>? {
    if lookedAt != emitter {
      simulation.appearance(ofEmitter: emitter, into: look)
      lookedAt = emitter
    }
    let column: AppearanceColumn<Float>? =
      switch index {
      case 0: look.x
      case 1: look.y
      case 2: look.z
      case 3: look.velocityX
      case 4: look.velocityY
      case 5: look.velocityZ
      case 6: look.width
      case 7: look.height
      case 8: look.angle
      case 9: look.red
      case 10: look.green
      case 11: look.blue
      case 12: look.alpha
      case 13: look.intensity
      case 14: look.mix
      case 15: look.depth
      case 16: look.age
      case 17: look.life
      default: nil
      }
    return column?.numbers.baseAddress
  }

  /// Paints the effect as it is now.
  /// - Returns: the pixels, valid until the next picture.
  func paint() throws(Diagnostic) -> UnsafePointer<UInt8>? {
    let renderer = try renderer()
    picture = try withDiagnostics { () throws(AnyFailure) in try renderer.draw(shown) }
    return picture?.pixels.withUnsafeBufferPointer { $0.baseAddress }
  }
}
