import ParticlesCore
import ParticlesImages
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Animations of atlases, whose frames are files of their own.
@Suite("Frames of atlases of Defold")
struct DefoldFramesTests {
  private static let atlas = """
    animations {
      id: "run"
      images { image: "/art/a.png" }
      images { image: "/art/b.png" }
      images { image: "/art/c.png" }
      playback: PLAYBACK_LOOP_FORWARD
      fps: 12
    }
    """

  private static let effect = """
    emitters {
      id: "fire"
      mode: PLAY_MODE_LOOP
      duration: 1.0
      space: EMISSION_SPACE_WORLD
      tile_source: "/art/all.atlas"
      animation: "run"
      material: "/builtins/materials/particlefx.material"
      max_particle_count: 10
      type: EMITTER_TYPE_CIRCLE
    }

    """

  /// Pictures of one colour. b.png is smaller.
  private static func picture(_ name: String) throws -> [UInt8]? {
    switch name {
    case "/art/a.png": try PNG.encode(Bitmap(width: 6, height: 4) { _, _ in (1, 0, 0, 1) })
    case "/art/b.png": try PNG.encode(Bitmap(width: 2, height: 2) { _, _ in (0, 1, 0, 1) })
    case "/art/c.png": try PNG.encode(Bitmap(width: 6, height: 4) { _, _ in (0, 0, 1, 1) })
    default: nil
    }
  }

  private static func imported(
    _ atlas: String = atlas, without missing: String = "", limits: Limits = .standard
  ) throws -> Imported {
    try ParticleFormat.defold.decode(
      Array(effect.utf8),
      DecodingContext(fileName: "fire.particlefx", limits: limits) { reference in
        if reference == "/art/all.atlas" { return Array(atlas.utf8) }
        return reference == missing ? nil : try picture(reference)
      })
  }

  private func bitmap(_ imported: Imported) throws -> Bitmap {
    let image = try #require(imported.system.images.first)
    return try Bitmap(decoding: try #require(imported.images[image.uri]))
  }

  private func color(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
    let first = (y * bitmap.width + x) * 4
    return Array(bitmap.pixels[first..<first + 4])
  }

  @Test("they become one picture with a grid, and the animation plays")
  func composed() throws {
    let imported = try Self.imported()
    let bitmap = try bitmap(imported)
    #expect(bitmap.width == 12 && bitmap.height == 8)
    #expect(color(bitmap, 0, 0) == [255, 0, 0, 255] && color(bitmap, 5, 7) == [0, 0, 255, 255])
    // The smaller one is in the middle of its frame.
    #expect(color(bitmap, 6, 0)[3] == 0 && color(bitmap, 8, 1) == [0, 255, 0, 255])
    let sprite = try #require(imported.system.sprites.first)
    #expect(sprite.grid == SpriteGrid(columns: 2, rows: 2, count: 3) && sprite.region == nil)
    let flipbook = imported.system.emitters[0].flipbook
    #expect(flipbook?.mode == .loop && flipbook?.fps == .fixed(12))
    #expect(!imported.diagnostics.contains { $0.severity >= .warning }, "\(imported.diagnostics)")
    #expect(imported.related.keys.sorted().last == "Source/project/art/c.png")
    #expect(try Self.imported().images == imported.images)
  }

  @Test("an animation that runs backwards has its frames in the opposite order")
  func backwards() throws {
    let imported = try Self.imported(Self.atlas.replacing("FORWARD", with: "BACKWARD"))
    #expect(try color(bitmap(imported), 0, 0) == [0, 0, 255, 255])
    #expect(!imported.diagnostics.contains { $0.severity >= .warning })
  }

  @Test(
    "if a frame is missing or there are too many pixels, the first one is shown, which is reported")
  func incomplete() throws {
    var limits = Limits.standard
    limits.pixels = 90
    for imported in [try Self.imported(without: "/art/b.png"), try Self.imported(limits: limits)] {
      let bitmap = try bitmap(imported)
      #expect(bitmap.width == 6 && imported.system.sprites[0].grid == nil)
      #expect(imported.system.emitters[0].flipbook == nil)
      let finding = imported.diagnostics.first { $0.rule == .approximated }
      #expect(finding?.detail == "the first of 3 frames is shown all the time")
    }
  }

  @Test("the effect is written back byte by byte")
  func written() throws {
    let imported = try Self.imported()
    let context = EncodingContext(
      fileName: "fire.particlefx", source: .init(name: "fire.particlefx", bytes: imported.source)
    ) { imported.related[$0] ?? imported.images[$0] }
    let exported = try ParticleFormat.defold.export(imported.system, context)
    #expect(exported.parts[0].bytes == imported.source)
    #expect(!exported.losses.contains { $0.lossLevel > .info }, "\(exported.losses)")
  }
}
