import ParticlesCore
import ParticlesImages
import ParticlesModel
import Testing

@testable import ParticlesFormats

@Suite("Images of tile sources of Defold")
struct DefoldTilesTests {
  private static let tiles = """
    image: "/art/tiles.png"
    tile_width: 16
    tile_height: 8
    tile_margin: 1
    tile_spacing: 2
    animations { id: "one" start_tile: 1 end_tile: 1 }
    animations { id: "run" start_tile: 5 end_tile: 7 }
    animations { id: "none" start_tile: 0 end_tile: 0 }
    """

  private static func effect(_ animation: String) -> String {
    """
    emitters {
      id: "fire"
      mode: PLAY_MODE_LOOP
      duration: 1.0
      space: EMISSION_SPACE_WORLD
      tile_source: "/art/all.tilesource"
      animation: "\(animation)"
      material: "/builtins/materials/particlefx.material"
      max_particle_count: 10
      type: EMITTER_TYPE_CIRCLE
    }
    """
  }

  private static func imported(_ animation: String, tiles: String = tiles) throws -> Imported {
    let picture = try PNG.encode(Bitmap(width: 64, height: 32) { _, _ in (1, 1, 1, 1) })
    return try ParticleFormat.defold.decode(
      Array(effect(animation).utf8),
      DecodingContext(fileName: "fire.particlefx") { reference in
        switch reference {
        case "/art/all.tilesource": Array(tiles.utf8)
        case "/art/tiles.png": picture
        default: nil
        }
      })
  }

  @Test(
    "the first tile of an animation",
    arguments: [
      ("one", Rectangle(x: 1, y: 1, width: 16, height: 8)),
      // Three tiles are in a row.
      ("run", Rectangle(x: 21, y: 13, width: 16, height: 8)), ("none", nil),
    ] as [(String, Rectangle?)])
  func tile(animation: String, region: Rectangle?) throws {
    let imported = try Self.imported(animation)
    let sprite = try #require(imported.system.sprites.first)
    #expect(sprite.region == region)
    #expect(imported.system.images[0].width == 64)
    #expect(!imported.diagnostics.contains { $0.rule == .missingImage })
  }

  private static let strip = """
    image: "/art/tiles.png"
    tile_width: 16
    tile_height: 8
    animations { id: "row" start_tile: 6 end_tile: 8 playback: PLAYBACK_LOOP_FORWARD fps: 12 }
    animations { id: "rows" start_tile: 5 end_tile: 10 }
    animations { id: "back" start_tile: 1 end_tile: 4 playback: PLAYBACK_LOOP_PINGPONG }
    animations { id: "bent" start_tile: 3 end_tile: 6 playback: PLAYBACK_LOOP_FORWARD }
    animations { id: "reverse" start_tile: 1 end_tile: 2 playback: PLAYBACK_ONCE_BACKWARD }
    animations { id: "still" start_tile: 1 end_tile: 2 playback: PLAYBACK_NONE }
    """

  @Test(
    "further tiles are frames, if they are a grid",
    arguments: [
      (
        "row", Rectangle(x: 16, y: 8, width: 48, height: 8), SpriteGrid(columns: 3, rows: 1),
        FlipbookMode.loop, FrameRate.fixed(12)
      ),
      (
        "rows", Rectangle(x: 0, y: 8, width: 64, height: 16),
        SpriteGrid(columns: 4, rows: 2, count: 6),
        .once, .life
      ),
      (
        "back", Rectangle(x: 0, y: 0, width: 64, height: 8), SpriteGrid(columns: 4, rows: 1),
        .pingpong,
        .fixed(30)
      ),
      (
        "reverse", Rectangle(x: 0, y: 0, width: 32, height: 8), SpriteGrid(columns: 2, rows: 1),
        .once,
        .life
      ),
      ("bent", Rectangle(x: 32, y: 0, width: 16, height: 8), nil, nil, nil),
      ("still", Rectangle(x: 0, y: 0, width: 16, height: 8), nil, nil, nil),
    ] as [(String, Rectangle, SpriteGrid?, FlipbookMode?, FrameRate?)])
  func frames(
    animation: String, region: Rectangle, grid: SpriteGrid?, mode: FlipbookMode?, rate: FrameRate?
  ) throws {
    let imported = try Self.imported(animation, tiles: Self.strip)
    let sprite = try #require(imported.system.sprites.first)
    #expect(sprite.region == region && sprite.grid == grid)
    let flipbook = imported.system.emitters[0].flipbook
    #expect(flipbook?.mode == mode && flipbook?.fps == rate)
    let isReported = imported.diagnostics.contains { $0.rule == .approximated }
    #expect(isReported == ["bent", "reverse"].contains(animation), "\(imported.diagnostics)")
  }

  @Test("of an animation of an atlas the first image is shown, which is reported")
  func atlas() throws {
    let atlas = """
      animations {
        id: "run"
        images { image: "/art/a.png" }
        images { image: "/art/b.png" }
      }
      """
    let text = Self.effect("run").replacing("all.tilesource", with: "all.atlas")
    let picture = try PNG.encode(Bitmap(width: 4, height: 4) { _, _ in (1, 1, 1, 1) })
    let imported = try ParticleFormat.defold.decode(
      Array(text.utf8),
      DecodingContext(fileName: "fire.particlefx") {
        $0 == "/art/all.atlas" ? Array(atlas.utf8) : $0 == "/art/a.png" ? picture : nil
      })
    let finding = imported.diagnostics.first { $0.rule == .approximated }
    #expect(finding?.detail == "the first of 2 frames is shown all the time")
  }

  @Test("a file that cannot be read, or has no such animation, leaves the image missing")
  func missing() throws {
    for tiles in ["", "image: ", "image: \"/art/tiles.png\""] {
      let imported = try Self.imported("one", tiles: tiles)
      #expect(imported.diagnostics.contains { $0.rule == .missingImage })
    }
    for tile in [
      "start_tile: -9000000000000000000", "start_tile: 9000000000000000000", "start_tile: 10",
    ] {
      let tiles = Self.tiles.replacing("start_tile: 1 ", with: "\(tile) ")
      #expect(try Self.imported("one", tiles: tiles).system.sprites[0].region == nil)
    }
    let tiny = try Self.imported(
      "one", tiles: Self.tiles.replacing("width: 16", with: "width: 1600"))
    #expect(tiny.system.sprites[0].region == nil)
  }

  @Test("an effect is written as it was, with the tiles of the package")
  func written() throws {
    let imported = try Self.imported("run")
    let context = EncodingContext(
      fileName: "fire.particlefx",
      source: .init(name: "fire.particlefx", bytes: imported.source)
    ) { imported.related[$0] ?? imported.images[$0] }
    let exported = try ParticleFormat.defold.export(imported.system, context)
    #expect(exported.parts[0].bytes == imported.source)
    #expect(!exported.losses.contains { $0.lossLevel > .info }, "\(exported.losses)")
  }
}
