import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Archives of SpriteKit, forged without our writer.
enum SpriteKitForge {
  static let nodeClasses = ["SKNode", "NSResponder", "NSObject"]

  /// A node of a class with these keys.
  static func node(_ name: String, _ entries: [ForgedValue.Entry]) -> ForgedValue {
    .object(name == "SKNode" ? nodeClasses : [name] + nodeClasses, entries)
  }

  /// An emitter that says nothing but this.
  static func emitter(_ entries: [ForgedValue.Entry]) -> ForgedValue {
    node("SKEmitterNode", entries)
  }

  static func sequence(
    _ times: [Double], _ values: [ForgedValue], _ more: ForgedValue.Entry...
  ) -> ForgedValue {
    .object(
      ["SKKeyframeSequence", "NSObject"],
      [
        .init("_times", .array(times.map { .boxed(.real($0)) })), .init("_values", .array(values)),
      ] + more)
  }

  static func color(_ text: String) -> ForgedValue {
    .object(
      ["NSColor", "NSObject"],
      [
        .init("NSColorSpace", .int(2)),
        .init("NSRGB", .inline(.data(Array(text.utf8) + [0]))),
      ])
  }

  static func point(_ text: String) -> ForgedValue {
    .object(
      ["NSValue", "NSObject"], [.init("NS.pointval", .string(text)), .init("NS.special", .int(1))])
  }

  static func texture(_ name: String, _ more: ForgedValue.Entry...) -> ForgedValue {
    .object(["SKTexture", "NSObject"], [.init("_imgName", .string(name))] + more)
  }
}

/// Imports a forged archive. The resulting document must be valid.
func decodeSpriteKit(
  _ root: ForgedValue, images: [String: [UInt8]] = [:]
) throws -> Imported {
  let imported = try ParticleFormat.spriteKit.decode(
    ArchiveForge.archive(root), DecodingContext(fileName: "test.sks") { images[$0] })
  let errors = imported.system.diagnostics().filter { $0.severity > .note }
  #expect(errors.isEmpty, "\(errors)")
  return imported
}

/// The emitter of a forged archive with these keys, and the rules of its findings.
func decodeSpriteKitEmitter(
  _ entries: ForgedValue.Entry...
) throws -> (emitter: Emitter, rules: [Rule]) {
  let imported = try decodeSpriteKit(
    SpriteKitForge.emitter([.init("_startSize", .string("{10, 10}"))] + entries))
  return (try #require(imported.system.emitters.first), imported.diagnostics.map(\.rule))
}
