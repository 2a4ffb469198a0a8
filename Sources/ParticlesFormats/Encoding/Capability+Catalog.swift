internal import ParticlesCore

// The rows of the capability matrix. Each format states its column; see ``ParticleFormat/abilities``.

extension Capability {
  // MARK: Births

  /// Constant emission rate.
  public static let rate = Capability("rate", .high, "constant emission rate")
  /// Random rate per cycle.
  public static let rateRand = Capability("rateRand", .low, "random rate per cycle")
  /// Rate over emitter time.
  public static let rateCurve = Capability("rateCurve", .medium, "rate over emitter time")
  /// Births along the way of the emitter.
  public static let rateWay = Capability("rateWay", .high, "births along the way of the emitter")
  /// N particles at one instant.
  public static let burst = Capability("burst", .high, "N particles at one instant")
  /// Several timed bursts.
  public static let burstList = Capability("burstList", .high, "several timed bursts")
  /// Finite emission time.
  public static let duration = Capability("duration", .medium, "finite emission time")
  /// Repeat finite cycles.
  public static let loop = Capability("loop", .high, "repeat finite cycles")
  /// Pause between cycles.
  public static let idle = Capability("idle", .medium, "pause between cycles")
  /// Start delay.
  public static let delay = Capability("delay", .medium, "start delay")
  /// Prewarm.
  public static let prewarm = Capability("prewarm", .low, "prewarm")
  /// A clock that runs faster or slower.
  public static let speed = Capability("speed", .high, "a clock that runs faster or slower")
  /// Stop after N particles.
  public static let total = Capability("total", .high, "stop after N particles")
  /// Cap on living particles.
  public static let maxAlive = Capability("maxAlive", .medium, "cap on living particles")
  /// Cycle explosiveness/jitter.
  public static let explos = Capability("explos", .low, "cycle explosiveness/jitter")
  /// Spawn probability per particle.
  public static let prob = Capability("prob", .medium, "spawn probability per particle")

  // MARK: Space and shape

  /// Local/world simulation choice.
  public static let space = Capability("space", .medium, "local/world simulation choice")
  /// Rectangle.
  public static let shRect = Capability("shRect", .medium, "rectangle")
  /// Disc / ellipse area.
  public static let shDisc = Capability("shDisc", .medium, "disc / ellipse area")
  /// Ring / outline.
  public static let shRing = Capability("shRing", .high, "ring / outline")
  /// Line.
  public static let shLine = Capability("shLine", .medium, "line")
  /// Poly-line / point set.
  public static let shPoly = Capability("shPoly", .high, "poly-line / point set")
  /// Box, sphere, cone, … (3-D).
  public static let sh3D = Capability("sh3D", .high, "box, sphere, cone, … (3-D)")
  /// Mesh surface.
  public static let shMesh = Capability("shMesh", .high, "mesh surface")

  // MARK: Launch and motion

  /// Direction from shape normal.
  public static let dirNormal = Capability("dirNormal", .high, "direction from shape normal")
  /// Planar fan.
  public static let spread2D = Capability("spread2D", .high, "planar fan")
  /// 3-D cone.
  public static let cone3D = Capability("cone3D", .high, "3-D cone")
  /// Random speed.
  public static let speedRange = Capability("speedRange", .high, "random speed")
  /// Constant acceleration.
  public static let gravity = Capability("gravity", .high, "constant acceleration")
  /// Radial acceleration.
  public static let radial = Capability("radial", .high, "radial acceleration")
  /// Tangential acceleration.
  public static let tangent = Capability("tangent", .high, "tangential acceleration")
  /// Acceleration along velocity.
  public static let linAcc = Capability("linAcc", .medium, "acceleration along velocity")
  /// Exponential / per-frame drag.
  public static let dragExp = Capability("dragExp", .high, "exponential / per-frame drag")
  /// Constant deceleration.
  public static let dragConst = Capability("dragConst", .high, "constant deceleration")
  /// Linear Euler drag.
  public static let dragLin = Capability("dragLin", .high, "linear Euler drag")
  /// Speed over life.
  public static let speedCurve = Capability("speedCurve", .high, "speed over life")
  /// Velocity offset (wind).
  public static let drift = Capability("drift", .medium, "velocity offset (wind)")
  /// Orbit (radius) mode.
  public static let orbit = Capability("orbit", .high, "orbit (radius) mode")
  /// Orbital velocity.
  public static let orbitVel = Capability("orbitVel", .high, "orbital velocity")
  /// Point attractor.
  public static let attract = Capability("attract", .high, "point attractor")
  /// Noise / turbulence.
  public static let noise = Capability("noise", .high, "noise / turbulence")
  /// Explicit path.
  public static let path = Capability("path", .high, "explicit path")
  /// Inherit emitter velocity.
  public static let inherit = Capability("inherit", .medium, "inherit emitter velocity")
  /// Collision / bounce.
  public static let collide = Capability("collide", .high, "collision / bounce")

  // MARK: Life, size and rotation

  /// Random lifetime.
  public static let life = Capability("life", .high, "random lifetime")
  /// Random start size.
  public static let size = Capability("size", .high, "random start size")
  /// Independent random end size.
  public static let sizeSE = Capability("sizeSE", .low, "independent random end size")
  /// Multi-key size curve.
  public static let sizeCurve = Capability("sizeCurve", .high, "multi-key size curve")
  /// Different x / y size.
  public static let sizeXY = Capability("sizeXY", .medium, "different x / y size")
  /// Size in units (not texture scale).
  public static let sizeAbs = Capability("sizeAbs", .medium, "size in units (not texture scale)")
  /// Velocity stretch.
  public static let stretch = Capability("stretch", .medium, "velocity stretch")
  /// Random start rotation.
  public static let rot = Capability("rot", .medium, "random start rotation")
  /// Random spin.
  public static let rotVel = Capability("rotVel", .medium, "random spin")
  /// Independent random end rotation.
  public static let rotSE = Capability("rotSE", .low, "independent random end rotation")
  /// Multi-key rotation.
  public static let rotCurve = Capability("rotCurve", .medium, "multi-key rotation")
  /// Angular acceleration.
  public static let rotAcc = Capability("rotAcc", .low, "angular acceleration")
  /// Align to velocity.
  public static let align = Capability("align", .low, "align to velocity")
  /// 3-D rotation.
  public static let rot3D = Capability("rot3D", .medium, "3-D rotation")

  // MARK: Colour

  /// Per-channel random colour.
  public static let colRand = Capability("colRand", .medium, "per-channel random colour")
  /// Hue/saturation/brightness jitter.
  public static let colHSB = Capability("colHSB", .medium, "hue/saturation/brightness jitter")
  /// Independent random end colour.
  public static let colSE = Capability("colSE", .low, "independent random end colour")
  /// Multi-key colour gradient.
  public static let grad = Capability("grad", .high, "multi-key colour gradient")
  /// Separate opacity curve.
  public static let alphaCv = Capability("alphaCv", .high, "separate opacity curve")
  /// Texture/colour mix factor.
  public static let mix = Capability("mix", .low, "texture/colour mix factor")
  /// Random initial colour from ramp.
  public static let initRamp = Capability("initRamp", .medium, "random initial colour from ramp")

  // MARK: Image

  /// Texture reference.
  public static let tex = Capability("tex", .high, "texture reference")
  /// Texture inside the file.
  public static let embed = Capability("embed", .low, "texture inside the file")
  /// Flip-book.
  public static let flip = Capability("flip", .medium, "flip-book")
  /// Random sprite per particle.
  public static let randSpr = Capability("randSpr", .low, "random sprite per particle")

  // MARK: Render

  /// Alpha blending.
  public static let blAlpha = Capability("blAlpha", .high, "alpha blending")
  /// Additive.
  public static let blAdd = Capability("blAdd", .high, "additive")
  /// Multiply.
  public static let blMul = Capability("blMul", .high, "multiply")
  /// Screen.
  public static let blScr = Capability("blScr", .high, "screen")
  /// Subtract.
  public static let blSub = Capability("blSub", .high, "subtract")
  /// Arbitrary GL factors.
  public static let blCustom = Capability("blCustom", .high, "arbitrary GL factors")
  /// Premultiplied alpha.
  public static let premult = Capability("premult", .medium, "premultiplied alpha")
  /// Draw order choice.
  public static let sort = Capability("sort", .low, "draw order choice")
  /// Billboard modes.
  public static let billb = Capability("billb", .low, "billboard modes")
  /// Soft particles / lighting.
  public static let soft = Capability("soft", .low, "soft particles / lighting")
  /// Trails.
  public static let trail = Capability("trail", .high, "trails")

  // MARK: Several emitters

  /// Sub-emitter on death.
  public static let subDeath = Capability("subDeath", .high, "sub-emitter on death")
  /// Sub-emitter on birth.
  public static let subBirth = Capability("subBirth", .high, "sub-emitter on birth")
  /// Continuous sub-emission.
  public static let subLive = Capability("subLive", .high, "continuous sub-emission")
  /// Sub-emitter on collision.
  public static let subColl = Capability("subColl", .high, "sub-emitter on collision")
  /// Several emitters per file.
  public static let multi = Capability("multi", .high, "several emitters per file")
  /// Fixed seed.
  public static let seed = Capability("seed", .low, "fixed seed")

  // MARK: Document

  /// Names, author and comments.
  public static let meta = Capability("meta", .low, "names, author and comments")
  /// Plane or space, and the unit of length.
  public static let frame2D = Capability(
    "frame2D", .medium, "plane or space, and the unit of length")
  /// How the effect is shown.
  public static let preview = Capability("preview", .low, "how the effect is shown")
  /// Data of other programs.
  public static let extra = Capability("extra", .low, "data of other programs")

  /// Every capability, in the order of the matrix.
  public static let all: [Capability] = [
    rate, rateRand, rateCurve, rateWay, burst, burstList, duration, loop, idle, delay, prewarm,
    speed, total, maxAlive, explos, prob, space, shRect, shDisc, shRing, shLine, shPoly, sh3D,
    shMesh, dirNormal, spread2D, cone3D, speedRange, gravity, radial, tangent, linAcc, dragExp,
    dragConst, dragLin, speedCurve, drift, orbit, orbitVel, attract, noise, path, inherit, collide,
    life, size, sizeSE, sizeCurve, sizeXY, sizeAbs, stretch, rot, rotVel, rotSE, rotCurve, rotAcc,
    align, rot3D, colRand, colHSB, colSE, grad, alphaCv, mix, initRamp, tex, embed, flip, randSpr,
    blAlpha, blAdd, blMul, blScr, blSub, blCustom, premult, sort, billb, soft, trail, subDeath,
    subBirth, subLive, subColl, multi, seed, meta, frame2D, preview, extra,
  ]
}
