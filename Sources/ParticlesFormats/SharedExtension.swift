internal import ParticlesCore

/// A file name extension of effects that most files with it are not: other languages and programs use it, too.
///
/// Such a file in a folder is an effect only if its contents show it: if a format recognises it, or if it is
/// damaged and has words of an effect. Other extensions belong to effects: every file with one is an effect,
/// however damaged it is.
package struct SharedExtension: Sendable, Hashable {
  /// The extension in lower case, without a full stop.
  package let name: String

  /// The usual contents of such files, such as "Swift source code".
  package let meaning: String

  /// Whether such files are source code, which may mention words of any format. Then only formats with this
  /// extension are tried.
  package let isCode: Bool

  /// Whether formats also recognise such files if they have no effect: any scene of a program, or code that
  /// mentions effects.
  package let isBroad: Bool

  /// Words of effects, by which a damaged one is told from other files.
  private let words: [String]

  /// How many of the words a damaged effect has.
  private let needed: Int

  /// Whether bytes that no format recognises may be a damaged effect. It examines the first 64 KiB.
  package func showsEffect(_ bytes: [UInt8]) -> Bool {
    guard needed > 0, !bytes.isEmpty else { return false }
    let start = Array(bytes.prefix(64 << 10)).asASCII
    var found = 0
    for word in words where start.contains(word) {
      found += 1
      if found == needed { return true }
    }
    return false
  }

  /// The extensions. Add one here when a format has an extension that other languages use.
  package static let all = [
    SharedExtension(
      name: "swift", meaning: "Swift source code", isCode: true, isBroad: false, words: [],
      needed: 0),
    SharedExtension(
      name: "cs", meaning: "C# source code", isCode: true, isBroad: false, words: [], needed: 0),
    SharedExtension(
      name: "lua", meaning: "Lua source code", isCode: true, isBroad: true,
      words: [
        "newParticleSystem", ":setEmissionRate(", ":setParticleLifetime(", ":setSizes(",
        ":setSpread(", ":setEmissionArea(", ":setLinearAcceleration(", ":setEmitterLifetime(",
      ], needed: 3),
    SharedExtension(
      name: "p", meaning: "Pascal or other source code", isCode: true, isBroad: false,
      words: [
        "- Delay -", "- Duration -", "- Count -", "- Emission -", "- Life -", "- Life Offset -",
        "- X Offset -", "- Spawn Shape -", "- Velocity -", "- Tint -", "- Transparency -",
        "- Image Path",
      ], needed: 2),
    SharedExtension(
      name: "json", meaning: "JSON data", isCode: false, isBroad: false,
      words: [
        // Particle Designer
        "\"maxParticles\"", "\"particleLifespan\"", "\"emitterType\"", "\"startColorRed\"",
        "\"blendFuncSource\"", "\"startParticleSize\"", "\"gravityx\"", "\"sourcePositionVariance",
        "\"angleVariance\"", "\"finishColor", "\"textureFileName\"",
        // PixiJS
        "\"behaviors\"", "\"lifetime\"", "\"spawnType\"", "\"spawnChance\"", "\"emitterLifetime\"",
        "\"particlesPerWave\"", "\"startRotation\"", "\"rotationSpeed\"", "\"isStepped\"",
        "\"spawnRect\"",
        "\"spawnCircle\"",
        // Phaser
        "\"lifespan\"", "\"speedX\"", "\"gravityY\"", "\"emitZone\"", "\"blendMode\"",
        "\"quantity\"",
        // three.quarks
        "\"ps\"", "\"startLife\"", "\"startSpeed\"", "\"emissionOverTime\"", "\"ParticleEmitter\"",
        // tsParticles
        "\"particles\"", "\"interactivity\"", "\"fpsLimit\"", "\"emitters\"", "\"detectRetina\"",
        "\"zIndex\"",
        "\"fullScreen\"", "\"outModes\"",
        // Vortex
        "\"birthRate\"", "\"emissionDuration\"", "\"lifespanVariation\"",
        "\"sizeMultiplierAtDeath\"",
      ], needed: 2),
    SharedExtension(
      name: "plist", meaning: "a property list", isCode: false, isBroad: false,
      words: [
        "maxParticles", "particleLifespan", "emitterType", "startColorRed", "startColorAlpha",
        "finishColorRed", "finishColorAlpha", "blendFuncSource", "startParticleSize", "gravityx",
        "sourcePositionVariance", "angleVariance", "textureFileName", "textureImageData",
        "radialAcceleration", "rotatePerSecond", "maxRadius", "SKEmitterNode", "particleBirthRate",
        "SCNParticleSystem", "CAEmitterLayer", "CAEmitterCell",
      ], needed: 2),
    SharedExtension(
      name: "tscn", meaning: "a scene of Godot", isCode: false, isBroad: true, words: godot,
      needed: 1),
    SharedExtension(
      name: "tres", meaning: "a resource of Godot", isCode: false, isBroad: true, words: godot,
      needed: 1),
    SharedExtension(
      name: "prefab", meaning: "a prefab", isCode: false, isBroad: false, words: unity, needed: 2),
    SharedExtension(
      name: "unity", meaning: "a scene of Unity", isCode: false, isBroad: false, words: unity,
      needed: 2),
  ]

  private static let unity = ["tag:unity3d.com", "ParticleSystem:"]

  private static let godot = [
    "GPUParticles2D", "GPUParticles3D", "CPUParticles2D", "CPUParticles3D", "CPUParticles\"",
    "\"Particles2D\"", "\"Particles\"", "ParticleProcessMaterial", "ParticlesMaterial",
  ]

  /// The row of an extension; nil for one that only effects have, and for others.
  package static func named(_ name: String) -> SharedExtension? { all.first { $0.name == name } }
}
