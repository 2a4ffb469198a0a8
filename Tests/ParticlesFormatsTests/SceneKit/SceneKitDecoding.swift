import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Imports a forged system. The resulting document must be valid.
func decodeSceneKit(_ system: ForgedValue) throws -> Imported {
  let imported = try ParticleFormat.sceneKit.decode(
    ArchiveForge.archive(system), DecodingContext(fileName: "test.scnp"))
  let errors = imported.system.diagnostics().filter { $0.severity == .error }
  #expect(errors.isEmpty)
  return imported
}

/// The first emitter of a forged system with these changes, and the rules of its findings.
func decodeSceneKitEmitter(_ changes: [ForgedValue.Entry]) throws -> (Emitter, [Rule]) {
  let imported = try decodeSceneKit(SceneKitForge.system(changes))
  return (try #require(imported.system.emitters.first), imported.diagnostics.map(\.rule))
}
