internal import ParticlesCore
internal import ParticlesModel

/// Which picture of a sprite a particle shows.
struct FrameChoice {
  var sprite: Int?
  var frame = 0
  /// The frame that is mixed in, with its weight.
  var next = 0
  var share = 0.0
}

extension ParticleBatch {
  /// The picture that a particle shows; see `Spec/document.md`, section Appearance.
  func choice(_ particle: Int, of sprites: [Int], _ frames: SpriteFrames) -> FrameChoice {
    guard !sprites.isEmpty else { return FrameChoice() }
    var choice = FrameChoice()
    let count = sprites.count
    choice.sprite =
      switch emitter.spriteSelection {
      case _ where count == 1: sprites[0]
      case .first: sprites[0]
      case .random:
        sprites[min(count - 1, Int(saturating: unit(.sprite, particle: particle) * Double(count)))]
      case .sequence: sprites[Int(look.ordinal[particle] % UInt64(count))]
      case .life: sprites[min(count - 1, Int(saturating: share(particle) * Double(count)))]
      }
    guard let flipbook = emitter.flipbook, let sprite = choice.sprite else { return choice }
    let length = frames.frameCount(of: sprite)
    guard length > 1 else { return choice }
    var place =
      flipbook.startRandom
      ? (unit(.frame, particle: particle) * Double(length)).rounded(.down)
      : sample(flipbook.start, .frame, particle: particle)
    switch flipbook.fps {
    case .life: place += share(particle) * Double(length)
    case .fixed(let rate):
      place += sample(rate, .frameRate, particle: particle) * Double(look.age[particle])
    }
    (choice.frame, choice.next) = flipbook.mode.frames(at: place, of: length)
    if flipbook.crossfade, place.isFinite { choice.share = place - place.rounded(.down) }
    return choice
  }
}

extension FlipbookMode {
  /// The frame at a place in the sequence, and the one after it.
  func frames(at place: Double, of count: Int) -> (frame: Int, next: Int) {
    // Whole numbers up to 2⁵³ are exact; the rest of a division stays so.
    let whole = place.isFinite ? place.rounded(.down) : 0
    func frame(_ whole: Double) -> Int {
      switch self {
      case .once: return Int(saturating: min(max(whole, 0), Double(count - 1)))
      case .loop:
        let rest = Int(saturating: whole.truncatingRemainder(dividingBy: Double(count)))
        return rest < 0 ? rest + count : rest
      case .pingpong:
        let period = 2 * count - 2
        guard period > 0 else { return 0 }
        var rest = Int(saturating: whole.truncatingRemainder(dividingBy: Double(period)))
        if rest < 0 { rest += period }
        return rest < count ? rest : period - rest
      }
    }
    return (frame(whole), frame(whole + 1))
  }
}
