import Foundation
import Particles
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The size of packages of real effects, compared with archivers that are installed.
@Suite("Sizes of packages")
struct SizeTests {
  private static let folders = [
    ("plist", "plist"), ("pex", "pex"), ("scnp", "scnp"), ("sks", "sks"), ("pd-json", "json"),
    ("apple-particles", "particles"),
  ]

  /// The sizes of a package and of an archive of one tree.
  private struct Sizes {
    var name: String
    var package: Int
    var archive: Int
  }

  /// Packs the effects at a level, and their trees with an archiver that writes `../a.zip`.
  private func sizes(
    at level: Container.CompressionLevel, _ archiver: String, _ arguments: String...
  ) throws -> [Sizes] {
    var sizes: [Sizes] = []
    for (folder, kind) in Self.folders {
      for path in Corpus.sample(folder, kind, 2) {
        guard let effect = try? OpenedEffect(path: path) else { continue }
        let scratch = try Scratch()
        let tree = scratch.file("tree")
        try effect.package.container.root.write(toDirectory: tree, synchronizing: false)
        _ = try Run.succeeding(archiver, arguments + ["../a.zip", "."], in: tree)
        let package = try effect.package.container.encoded(.init(level: level))
        let archive = try #require(try Files.status(scratch.file("a.zip"))?.size)
        sizes.append(Sizes(name: path, package: package.count, archive: archive))
      }
    }
    #expect(!sizes.isEmpty)
    return sizes
  }

  @Test("at level best, a package is not larger than zip -9", .needs("zip"))
  func bestAndZIP() throws {
    let zip = try #require(Run.find("zip"))
    for sizes in try sizes(at: .best, zip, "-9", "-X", "-D", "-q", "-r") {
      #expect(sizes.package <= sizes.archive, "\(sizes.name)")
    }
  }

  @Test(
    "at level best, a package is at most 1 % larger than a ZIP archive of 7-Zip",
    .enabled(if: Run.find("7z", "7zz") != nil, "not installed: 7z"))
  func bestAnd7Zip() throws {
    let sevenZip = try #require(Run.find("7z", "7zz"))
    for sizes in try sizes(at: .best, sevenZip, "a", "-tzip", "-bd") {
      #expect(Double(sizes.package) <= Double(sizes.archive) * 1.01, "\(sizes.name)")
    }
  }

  @Test(
    "at level standard, a package is not larger than zip -6",
    .needs("zip"))
  func standardAndZIP() throws {
    let zip = try #require(Run.find("zip"))
    for sizes in try sizes(at: .standard, zip, "-6", "-X", "-D", "-q", "-r") {
      #expect(sizes.package <= sizes.archive, "\(sizes.name)")
    }
  }
}
