internal import ParticlesTypes

// The types of the formats. Their owners publish no identifiers, so they are imported ones in the domain
// of this project.

extension TypeDeclaration {
  /// SpriteKit archives with an emitter. Xcode calls the format "SpriteKit Particle File".
  static let spriteKit = effect(
    "spritekit-emitter", "com.apple.binary-property-list", extensions: ["sks"],
    mimeType: "application/x-spritekit-emitter", title: "SpriteKit emitter",
    patterns: [.keyedArchive(of: "SKEmitterNode", priority: 60)])

  /// SceneKit archives of particle systems.
  static let sceneKit = effect(
    "scenekit-particle-system", "com.apple.binary-property-list", extensions: ["scnp"],
    mimeType: "application/x-scenekit-particle-system", title: "SceneKit particle system",
    patterns: [.keyedArchive(of: "SCNParticleSystem", priority: 60)])

  /// Property lists of cocos2d. A name of the extension may be any property list.
  static let cocos2d = effect(
    "cocos2d-particle-system", "com.apple.property-list", extensions: ["plist"],
    mimeType: "application/x-cocos2d-particle-system", title: "cocos2d particle system",
    patterns: [
      .text("<plist", also: [.text("maxParticles")], priority: 80),
      ContentPattern(Array("bplist00".utf8), also: [.text("maxParticles", at: 8)], priority: 80),
    ])

  /// JSON of Particle Designer. A name of the extension may be any JSON.
  static let particleDesigner = effect(
    "particle-designer-json", "public.json", extensions: ["json"],
    mimeType: "application/x-particle-designer+json", title: "Particle Designer JSON",
    patterns: [
      .text("\"maxParticles\"", also: [.text("\"particleLifespan\"")], priority: 80)
    ])

  /// XML of Starling and Lanica.
  static let starling = effect(
    "starling-particle-system", "public.xml", extensions: ["pex", "lap"],
    mimeType: "application/x-starling-particle-system+xml", title: "Starling particle system",
    patterns: StarlingSyntax.roots.map { .text("<\($0)", priority: 80) })

  /// Effects of libGDX.
  static let libGDX = effect(
    "libgdx-particle-effect", "public.plain-text", extensions: ["p"],
    mimeType: "application/x-libgdx-particle-effect", title: "libGDX particle effect",
    patterns: [.text("- Delay -", also: [.text("- Duration -")], priority: 80)])

  /// JSON of PixiJS with behaviours. A name of the extension may be any JSON.
  static let pixi = effect(
    "pixi-particle-emitter", "public.json", extensions: ["json"],
    mimeType: "application/x-pixi-particle-emitter+json", title: "PixiJS particle emitter",
    patterns: [.text("\"behaviors\"", also: [.text("\"lifetime\"")], priority: 80)])

  /// JSON of PixiJS with flat keys.
  static let pixiLegacy = effect(
    "pixi-legacy-particle-emitter", "public.json", extensions: ["json"],
    mimeType: "application/x-pixi-legacy-particle-emitter+json",
    title: "PixiJS particle emitter, up to version 4",
    patterns: [.text("\"startRotation\"", also: [.text("\"lifetime\"")], priority: 80)])

  /// Lua code for LÖVE. A name of the extension may be any Lua.
  static let love = effect(
    "love-particle-systems", "public.plain-text", extensions: ["lua"],
    mimeType: "text/x-love-particle-systems", title: "LÖVE particle systems",
    patterns: [.text("newParticleSystem", priority: 80)])

  /// Text of protocol buffers with effects of Defold.
  static let defold = effect(
    "defold-particlefx", "public.plain-text", extensions: ["particlefx"],
    mimeType: "application/x-defold-particlefx", title: "Defold particle effect",
    patterns: [.text("EMITTER_TYPE_", also: [.text("emitters")], priority: 80)])

  /// JSON of Phaser 3. A name of the extension may be any JSON.
  static let phaser = effect(
    "phaser-particle-emitter", "public.json", extensions: ["json"],
    mimeType: "application/x-phaser-particle-emitter+json", title: "Phaser 3 particle emitter",
    patterns: [.text("\"lifespan\"", also: [.text("\"speed")], priority: 70)])

  /// Scenes of three.js with emitters of three.quarks.
  static let quarks = effect(
    "three-quarks-effect", "public.json", extensions: ["json"],
    mimeType: "application/x-three-quarks+json", title: "three.quarks particle effect",
    patterns: [.text("\"startLife\"", also: [.text("\"metadata\"")], priority: 80)])

  /// Options of tsParticles. A name of the extension may be any JSON.
  static let tsParticles = effect(
    "tsparticles-options", "public.json", extensions: ["json"],
    mimeType: "application/x-tsparticles+json", title: "tsParticles options",
    patterns: [
      .text("\"particles\"", also: [.text("\"number\""), .text("\"move\"")], priority: 70)
    ])

  /// Text files of Godot 3 with particle nodes, or with a process material. Scenes and resources
  /// without particles share these extensions.
  static let godot3 = godot("godot3", "Godot 3 particles", formats: [2])

  /// Text files of Godot 4 with particle nodes, or with a process material.
  static let godot4 = godot("godot4", "Godot 4 particles", formats: [3, 4])

  private static func godot(_ name: String, _ title: String, formats: [Int]) -> TypeDeclaration {
    effect(
      "\(name)-particles", "public.plain-text", extensions: ["tscn", "tres"],
      mimeType: "application/x-\(name)-particles", title: title,
      patterns: formats.map {
        .text("[gd_", also: [.text("format=\($0)"), .text("Particle")], priority: 70)
      })
  }

  /// JSON of Vortex. A name of the extension may be any JSON.
  static let vortex = effect(
    "vortex-particle-system", "public.json", extensions: ["json"],
    mimeType: "application/x-vortex-particle-system+json", title: "Vortex particle system",
    patterns: [
      .text("\"birthRate\"", also: [.text("\"emissionDuration\"")], priority: 80)
    ])

  /// Archives of Core Animation with emitter layers.
  static let coreAnimation = effect(
    "core-animation-emitter", "com.apple.binary-property-list", extensions: ["caar"],
    mimeType: "application/x-core-animation-emitter", title: "Core Animation emitter layer",
    patterns: [.keyedArchive(of: "CAEmitterLayer", priority: 60)])

  /// Projects of Effekseer, as XML and in containers.
  static let effekseer = effect(
    "effekseer-project", "public.data", extensions: ["efkproj", "efkefc"],
    mimeType: "application/x-effekseer-project", title: "Effekseer project",
    patterns: [
      .text("<EffekseerProject", priority: 80),
      ContentPattern(Array("EFKE".utf8), priority: 60),
    ])

  /// Prefabs and scenes of Unity with particle systems, as text. Most files with these extensions have none.
  static let unity = effect(
    "unity-particle-systems", "public.plain-text", extensions: ["prefab", "unity"],
    mimeType: "application/x-unity-particle-systems+yaml", title: "Unity prefab or scene",
    patterns: [.text("tag:unity3d.com", also: [.text("ParticleSystem:")], priority: 80)])

  /// Packages of Unity, which need not have an effect.
  static let unityPackage = effect(
    "unity-package", "org.gnu.gnu-zip-archive", extensions: ["unitypackage"],
    mimeType: "application/x-unitypackage", title: "Unity package", patterns: [])

  private static func effect(
    _ name: String, _ supertype: String, extensions: [String], mimeType: String, title: String,
    patterns: [ContentPattern]
  ) -> TypeDeclaration {
    TypeDeclaration(
      "org.particles-format.\(name)", .imported, source: .particles,
      conformingTo: [supertype, "public.content"],
      tags: [.filenameExtension: extensions, .mimeType: [mimeType]], title: title,
      patterns: patterns)
  }
}

extension ParticleFormat {
  /// Returns the format with the type of its files.
  func declaring(_ type: @autoclosure @escaping @Sendable () -> TypeDeclaration) -> ParticleFormat {
    var format = self
    format.makeTypes = { [type()] }
    return format
  }
}
