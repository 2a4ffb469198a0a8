internal import ParticlesCore
internal import ParticlesModel

// Rows of properties that no archive of Apple's has.

extension Row where Format: ArchiveFormat {
  static var missingEmission: [Row] {
    [
      .missing(
        "emission.ratePerDistance", \.emission.ratePerDistance, .rateWay,
        "births do not depend on the motion of the emitter"),
      .missing(
        "emission.minAlive", \.emission.minAlive, .maxAlive,
        "there is no least number of living particles"),
      .missing("emission.jitter", \.emission.jitter, .explos, "births are spread evenly"),
      .missing(
        "emission.lifeOffset", \.emission.lifeOffset, .extra, "particles are born at age 0",
        level: .medium),
    ]
  }

  static var missingMotion: [Row] {
    [
      .missing(
        "launch.inheritVelocity", \.launch.inheritVelocity, .inherit,
        "particles do not take over the motion of the emitter"),
      .idiom([], "motion.orbitVelocity", "lost", encode: { $0.dropOrbitVelocity() }),
      .missing("motion.drift", \.motion.drift, .drift, "there is no wind"),
      .missing("motion.maxSpeed", \.motion.maxSpeed, .speedCurve, "speeds have no limit"),
      .idiom([], "rotation.align", "lost", encode: { $0.dropAlignment() }),
    ]
  }

  static var missingLook: [Row] {
    [
      .idiom([], "spriteSelection", "lost", encode: { $0.dropOtherSprites() }),
      .missing("render.layer", \.render.layer, .sort, "layers are part of the scene"),
      .missing("render.trail", \.render.trail, .trail, "particles leave nothing behind"),
    ]
  }
}

extension EmitterWriter where Format: ArchiveFormat {
  fileprivate mutating func dropOrbitVelocity() {
    let motion = emitter.motion
    guard motion.orbitVelocity != 0 || motion.orbitAxis != Motion().orbitAxis else { return }
    lose(
      motion.orbitVelocity == 0 ? .dead : .lost, .orbitVel, at: "motion.orbitVelocity",
      also: ["motion.orbitAxis"], "particles do not turn about the emitter")
  }

  fileprivate mutating func dropAlignment() {
    let rotation = emitter.rotation
    guard rotation.align != .none || rotation.alignOffset != 0 else { return }
    lose(
      rotation.align == .none ? .dead : .lost, .align, at: "rotation.align",
      also: ["rotation.alignOffset"], "particles do not face where they fly")
  }

  fileprivate mutating func dropOtherSprites() {
    if emitter.sprites.count > 1 {
      lose(.lost, .randSpr, at: "sprites", also: ["spriteSelection"], "particles show one image")
    } else {
      drop(
        \.spriteSelection, .randSpr, at: "spriteSelection", "there is one image to choose from",
        .dead)
    }
  }
}
