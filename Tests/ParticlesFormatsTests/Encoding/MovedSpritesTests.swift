import ParticlesCore
import Testing

@testable import ParticlesFormats

@Suite("Sprites that move")
struct MovedSpritesTests {
  @Test("a line covers what the paths in its JSON cover")
  func paths() {
    var moved = Loss(feature: "tex", level: .info, path: "emitters[1].sprites", alsoPaths: ["a"])
    moved.moved = MovedSprites(sprites: 2...4, emitters: 2..<4)
    let paths = moved.alsoPaths
    #expect(
      paths == [
        "a", "sprites[2]", "images[2]", "sprites[3]", "images[3]", "sprites[4]", "images[4]",
        "emitters[2].sprites", "emitters[3].sprites",
      ])
    var stated = moved
    stated.alsoPaths = paths
    #expect(stated.moved == nil && stated.alsoPaths == paths)
    var diagnostics = [
      Diagnostic(.restated, .texture, at: "", ""), Diagnostic(.restated, .texture, at: "", ""),
    ]
    (diagnostics[0].loss, diagnostics[1].loss) = (moved, stated)
    var (ranges, list) = (PathIndex([diagnostics[0]]), PathIndex([diagnostics[1]]))
    for path in paths + paths.map({ "\($0)[0].x" }) + [
      "sprites", "sprites[1]", "sprites[5].grid", "images[22]", "emitters[2]",
      "emitters[2].spriteSelection", "emitters[4].sprites", "emitters[1].sprites[0]", "x[2]",
    ] {
      #expect(moved.covers(path) == stated.covers(path), "\(path)")
      #expect(ranges.covers(path) == list.covers(path), "\(path)")
    }
  }
}
