import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Stills of effects by real people show something.
@Suite("Stills of real effects")
struct VisibleCorpusTests {
  /// Folders with the extensions of their files.
  private static let kinds = [
    ("apple-particles", "particles"), ("defold", "particlefx"), ("godot", "tscn"), ("libgdx", "p"),
    ("love", "lua"), ("pd-json", "json"), ("pex", "pex"), ("phaser", "json"), ("pixi", "json"),
    ("plist", "plist"), ("quarks", "json"), ("scnp", "scnp"), ("sks", "sks"),
    ("tsparticles", "json"),
  ]

  /// Effects that show nothing at any moment in any frame, by a part of their names, with the reason.
  private static let invisible = [
    "Coin@194af1f": "its particles have the size 0",
    "QuickExplode@c4deaec": "its particles have the opacity 0",
    "gdx-particle-editor__blank": "it emits nothing",
    "colors@fb577b9": "it has no particles", "customShape@3b54f88": "it has no particles",
    "manual@3b54f88": "its particles come from a program",
    "player__bullet": "an animation of the scene makes its particles visible",
    "mouseFollow@3b54f88": "its particles come from the mouse",
  ]

  private static func still(_ path: String) throws -> (look: PictureLook, isCut: Bool)? {
    guard let opened = try? OpenedEffect(path: path) else { return nil }
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height) = (128, 128)
    let animation = try EffectAnimation(opened.package, plan: plan, isStill: true)
    var picture: Bitmap?
    try animation.draw { picture = $0 }
    let bitmap = try #require(picture)
    let look = PictureLook(bitmap, background: animation.background)
    let isReported = animation.problems.contains { $0.rule == .emptyPicture }
    #expect(isReported == look.isPoor, "\(path)")
    return (look, look.isCut)
  }

  @Test("97 % have at least 40 visible pixels of 128 × 128, and few are cut at the border")
  func visible() throws {
    let paths = Self.kinds.flatMap { Corpus.files($0.0, $0.1) }
    let sample = Sample.of(paths, 2, ofEach: { Files.lastComponent(of: Files.folder(of: $0)) })
    var (count, cut, poor): (Int, Int, [String]) = (0, 0, [])
    for path in sample {
      guard let still = try Self.still(path) else { continue }
      count += 1
      if still.isCut { cut += 1 }
      if still.look.visible < 40 { poor.append(Files.lastComponent(of: path)) }
    }
    #expect(count >= 10)
    let unexplained = poor.filter { name in
      !Self.invisible.contains { name.contains($0.key) }
    }
    #expect(unexplained.isEmpty, "\(unexplained)")
    #expect(Double(poor.count) <= max(1, 0.03 * Double(count)), "\(poor) of \(count)")
    #expect(Double(cut) <= max(2, 0.1 * Double(count)), "\(cut) of \(count)")
  }
}
