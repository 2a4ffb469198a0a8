import ParticlesCore
import ParticlesImages
import ParticlesModel
import Synchronization
import Testing

@testable import ParticlesFormats

@Suite("Images of atlases of Defold")
struct DefoldAtlasTests {
  private static let atlas = """
    images { image: "/art/flame.png" }
    images {
      image: "/art/blob.png"
      sprite_trim_mode: SPRITE_TRIM_MODE_OFF
    }
    animations {
      id: "run"
      images { image: "/art/run-1.png" }
      images { image: "/art/run-2.png" }
      playback: PLAYBACK_LOOP_FORWARD
    }
    margin: 2
    """

  /// Imports an effect whose particles show an animation.
  private func imported(
    _ animation: String, atlas: String, emitters: Int = 1,
    onReading: @escaping @Sendable () -> Void = {}
  ) throws -> Imported {
    let emitter = """
      emitters {
        id: "fire"
        mode: PLAY_MODE_LOOP
        duration: 1.0
        space: EMISSION_SPACE_WORLD
        tile_source: "/art/all.atlas"
        animation: "\(animation)"
        material: "/builtins/materials/particlefx.material"
        max_particle_count: 10
        type: EMITTER_TYPE_CIRCLE
      }
      """
    return try ParticleFormat.defold.decode(
      Array(String(repeating: emitter + "\n", count: emitters).utf8),
      DecodingContext(fileName: "fire.particlefx") { reference in
        if reference == "/art/all.atlas" {
          onReading()
          return Array(atlas.utf8)
        }
        return reference.hasPrefix("/art/") ? Array(reference.utf8) : nil
      })
  }

  @Test(
    "an image of this name, or the first one of the animation",
    arguments: [("blob", "/art/blob.png"), ("run", "/art/run-1.png")])
  func found(animation: String, expected: String) throws {
    let imported = try imported(animation, atlas: Self.atlas)
    let image = try #require(imported.system.images.first)
    #expect(imported.images[image.uri] == Array(expected.utf8))
    // The image has the name of the animation, and the name is written again.
    #expect(image.uri.hasSuffix("/\(animation).png"))
    #expect(!imported.diagnostics.contains { $0.rule == .missingImage })
  }

  @Test(
    "an atlas without it, or a damaged one, leaves the image missing",
    arguments: [atlas, "images { image: ", "", "images: 5 animations: \"run\""])
  func missing(atlas: String) throws {
    let imported = try imported("other", atlas: atlas)
    #expect(imported.system.images.count == 1)
    #expect(imported.diagnostics.contains { $0.rule == .missingImage })
    let isDamaged = atlas.hasPrefix("images {") && !atlas.hasSuffix("}") && atlas.count < 20
    let fault = imported.diagnostics.first { $0.rule == .uninterpreted }
    #expect((fault?.detail?.contains("all.atlas lists images") == true) == isDamaged)
  }

  @Test("an atlas beyond a limit is named with it, once")
  func huge() throws {
    let frames = String(repeating: "images { image: \"/a.png\" }\n", count: 300_000)
    let imported = try imported("run", atlas: frames, emitters: 3)
    let faults = imported.diagnostics.filter { $0.rule == .uninterpreted }
    #expect(faults.count == 1 && faults[0].detail?.contains("at most") == true, "\(faults)")
  }

  @Test("an atlas that emitters share is read once")
  func shared() throws {
    let readings = Atomic(0)
    let imported = try imported("blob", atlas: Self.atlas, emitters: 5) {
      readings.add(1, ordering: .relaxed)
    }
    #expect(imported.system.emitters.count == 5 && imported.system.images.count == 1)
    #expect(readings.load(ordering: .relaxed) == 1)
  }
}
