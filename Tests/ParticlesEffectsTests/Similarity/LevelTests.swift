import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Levels beside pictures: effects with one change each, and the visible difference in a side-by-side animation.
///
/// To see the pictures, write the two effects of a row as `.particles` files and run `particles convert
/// BEFORE.particles --to FORMAT -n --side-by-side both.gif`. For the conversions below, run the command with the
/// files in Fixtures/effects. They were looked at when a row was written.
@Suite("Levels and what pictures show")
struct LevelTests {
  /// A conversion of an effect in `Fixtures/effects`.
  struct Row: CustomTestStringConvertible, Sendable {
    var path: String
    var target: String
    /// What the pictures show, before and after.
    var picture: String
    var level: Loss.Level

    var testDescription: String { "\(path) to \(target): \(picture)" }
  }

  static let rows = [
    Row(path: "pd-json/torch.json", target: "cocos2d", picture: "the same flame", level: .info),
    Row(path: "pex/torch.pex", target: "starling", picture: "the same flame", level: .info),
    Row(path: "sks/torch.sks", target: "spritekit", picture: "the same flame", level: .info),
    Row(
      path: "sks/torch.sks", target: "cocos2d", picture: "a narrower flame with darker edges",
      level: .medium),
    Row(
      path: "plist/torch.plist", target: "starling", picture: "a wider flame with softer edges",
      level: .medium),
    Row(
      path: "scnp/torch.scnp", target: "starling", picture: "a narrower flame with sharper edges",
      level: .high),
    Row(
      path: "pex/snow.pex", target: "scenekit", picture: "faint specks become clear flakes",
      level: .high),
    Row(
      path: "scnp/snow.scnp", target: "cocos2d", picture: "the flakes nearly vanish", level: .high),
    Row(
      path: "plist/galaxy.plist", target: "scenekit", picture: "a spiral becomes a dot",
      level: .high),
    Row(
      path: "pex/firework.pex", target: "scenekit", picture: "a coloured sphere becomes a jet",
      level: .high),
  ]

  @Test("agree for ten conversions", arguments: rows)
  func conversions(row: Row) throws {
    let path = Repository.path("Fixtures/effects/\(row.path)")
    let package = try OpenedEffect(path: path).package
    let format = try #require(FormatRegistry.standard[row.target])
    let exported = try package.exported(as: format, fileName: "effect.\(format.extensions[0])")
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: format, measuresLines: false)
    let difference = try #require(measured.difference)
    print(row.path, row.target, difference.whole.hundredths, difference.greatest?.rawValue ?? "")
    // A conversion that is mended differs less than when its picture was looked at.
    #expect(Loss.Level(difference: difference.whole) <= row.level, "\(difference.aspects)")
    if row.level == .info { #expect(difference.whole == 0) }
  }

  @Test("limits of the levels")
  func limits() {
    let levels: [(Double, Loss.Level)] = [
      (0, .info), (0.0099, .info), (0.01, .low), (0.049, .low), (0.05, .medium), (0.199, .medium),
      (0.2, .high), (1, .high),
    ]
    for (difference, level) in levels { #expect(Loss.Level(difference: difference) == level) }
  }
}
