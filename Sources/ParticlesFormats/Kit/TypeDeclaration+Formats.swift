internal import ParticlesTypes

// The types of the formats. Their owners publish no identifiers, so they are imported ones in the domain
// of this project.

extension TypeDeclaration {
  /// SpriteKit archives with an emitter; Xcode's name of the format is "SpriteKit Particle File".
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
  /// Returns the format with the types of its files.
  func declaring(_ types: TypeDeclaration...) -> ParticleFormat {
    var format = self
    format.types = types
    return format
  }
}
