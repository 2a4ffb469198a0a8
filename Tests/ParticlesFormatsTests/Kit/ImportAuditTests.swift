import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesPropertyLists
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Nothing of a source is lost in silence: every key is in a row of the mapping table, in the source
/// bag or in the report, and every image is in the package, named by the document or reported.
struct ImportAuditTests {
  /// Keys and images of a file, read without the decoder of its format.
  private struct Content {
    var keys: Set<String> = []
    var images: Set<String> = []
  }

  private static func propertyList(_ bytes: [UInt8]) throws -> Content {
    let members = try #require(try PropertyListValue(decoding: bytes).members)
    return Content(keys: Set(members.map(\.key)))
  }

  private static func json(_ bytes: [UInt8]) throws -> Content {
    Content(keys: Set(try #require(JSONParser.parse(bytes).object).members.map(\.key)))
  }

  private static func xml(_ bytes: [UInt8]) throws -> Content {
    Content(keys: Set(try StarlingSyntax(decoding: bytes, limits: .standard).members.map(\.key)))
  }

  /// The keys of particle nodes and process materials, by their lines.
  private static func scene(_ bytes: [UInt8]) -> Content {
    var (content, isParticle) = (Content(), false)
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("[") {
        let types = ["CPUParticles", "GPUParticles", "Particles", "ParticleProcessMaterial"]
        let type = line.split(separator: "type=\"").dropFirst().first?.prefix { $0 != "\"" } ?? ""
        isParticle =
          types.contains { type.hasPrefix($0) } && !type.contains("Collision")
          && !type.contains("Attractor")
      } else if isParticle, let key = line.split(separator: " = ").first, line.contains(" = ") {
        content.keys.insert(String(key))
      }
    }
    return content
  }

  /// All objects of a class, wherever they are in an archive.
  private static func archive(_ bytes: [UInt8], of name: String) throws -> Content {
    let archive = try KeyedArchive(bytes)
    var content = Content()
    for index in archive.plist.objects.indices {
      let index = KeyedArchive.Index(index)
      guard archive.object(index, isA: name),
        case .dictionary(let keys, let values) = archive.plist[index]
      else { continue }
      for (key, value) in zip(keys, values) {
        guard case .scalar(.string(let key)) = archive.plist[key] else { continue }
        if case .scalar(.data(let bytes)) = archive.value(at: value), key == "particleImage" {
          content.images.insert(SHA256.digest(bytes).description)
        }
        content.keys.insert(key)
      }
    }
    return content
  }

  @Test(
    "every key and every image of a source is mapped, kept or reported",
    arguments: [
      ("plist", "plist"), ("pd-json", "json"), ("pex", "pex"), ("scnp", "scnp"), ("sks", "sks"),
      ("godot", "tscn"),
    ])
  func corpus(folder: String, kind: String) throws {
    let paths = Corpus.sample(folder, kind, 12)
    #expect(!paths.isEmpty)
    for path in paths {
      let bytes = try Files.read(path)
      let format = try FormatRegistry.standard.recognising(bytes, fileName: path)
      let content =
        switch format.name {
        case "cocos2d": try Self.propertyList(bytes)
        case "particle-designer": try Self.json(bytes)
        case "starling": try Self.xml(bytes)
        case "godot3", "godot4": Self.scene(bytes)
        case "scenekit": try Self.archive(bytes, of: "SCNParticleSystem")
        default: try Self.archive(bytes, of: "SKEmitterNode")
        }
      let imported = try format.decode(
        bytes, DecodingContext(fileName: Files.lastComponent(of: path)))
      let system = imported.system
      let bags = [system.extensions] + system.emitters.map(\.extensions)
      let kept = bags.flatMap { bag in
        bag[ParticleSystem.sourceExtension]?.object?["bag"]?.object?.members.map(\.key) ?? []
      }
      let reported = imported.diagnostics.compactMap { "\($0)" }.joined(separator: "\n")
      let told = Set((format.table?().keys ?? []) + kept + Self.silent)
      let lost = content.keys.filter { !told.contains($0) && !reported.contains($0) }
      #expect(lost.isEmpty, "\(path): \(lost.sorted())")
      let images = Set(system.images.compactMap(\.sha256))
      #expect(content.images.isSubset(of: images), "\(path)")
    }
  }

  /// What every archived object has, and keys of SpriteKit that its page lists as meaning nothing.
  private static let silent =
    ["$class"] + SpriteKitFamily.spriteKit.passedOver + SpriteKitFamily.spriteKit.aliases.values
    + SceneKitFamily.shared.aliases.values

  @Test("two images of one name are both there")
  func images() throws {
    let bytes = try Files.read(Repository.path("Fixtures/scenekit/two-images-one-name.scnp"))
    let imported = try ParticleFormat.sceneKit.decode(
      bytes, DecodingContext(fileName: "two-images-one-name.scnp"))
    #expect(imported.system.images.count == 2)
    #expect(Set(imported.system.images.map(\.uri)).count == 2)
    #expect(Set(imported.system.sprites.map(\.image)) == [0, 1])
  }
}
