import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Previews in packages")
struct EmbeddedThumbnailTests {
  private func package(_ name: String = "fire") throws -> EffectPackage {
    try DrawnTemplates.package(name)
  }

  /// Replaces the pixels of the thumbnail, and keeps its texts.
  private func paint(_ package: inout EffectPackage, size: Int) throws {
    let old = try #require(
      try package.container.root[EffectPackage.thumbnailPath]?.contents?.bytes())
    let red = try PNG.encode(Bitmap(width: size, height: size) { _, _ in (1, 0, 0, 1) })
    let texts = PNG.texts(of: old).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: PNG.adding(texts, to: red)),
      at: EffectPackage.thumbnailPath)
  }

  private func isRed(_ picture: Bitmap) -> Bool { Array(picture.pixels[..<4]) == [255, 0, 0, 255] }

  @Test("a thumbnail names what it shows: Python finds the same digest of the package without it")
  func digest() throws {
    var package = try package()
    let scratch = try Scratch()
    try package.container.write(to: scratch.file("a.particles"), as: .flat)
    let before = try package.container.root.treeDigest()
    try package.embedPreviews(size: 24)
    let bytes = try #require(
      try package.container.root["QuickLook/Thumbnail.png"]?.contents?.bytes())
    let picture = try PNG.decode(bytes)
    #expect((picture.width, picture.height) == (24, 24))
    #expect(try package.effectDigest() == before && package.container.root.treeDigest() != before)
    let source = try #require(PNG.texts(of: bytes)["Particles:Source"])
    if let python = Run.optional("python3") {
      let script = Repository.path("Spec/read_particles.py")
      let run = try Run.succeeding(python, [script, scratch.file("a.particles")])
      #expect(run.text.hasSuffix("digest \(source)\n"))
    }
    #expect(try !package.hasStaleThumbnail() && !package.hasForeignThumbnail())
    let again = package.container.root
    try package.embedPreviews(size: 24)
    #expect(try package.container.root.matchesContents(of: again), "the same bytes each time")
  }

  @Test("a thumbnail is used if it shows the present effect and is large enough")
  func use() throws {
    var package = try package()
    try package.embedPreviews(size: 32)
    try paint(&package, size: 32)
    for size in [1, 16, 32] {
      let picture = try EffectThumbnail(package).bitmap(size: size)
      #expect(isRed(picture) && picture.width == size && picture.height == size)
    }
    #expect(try !isRed(EffectThumbnail(package).bitmap(size: 33)), "too small")
    var other = package
    var system = try other.system()
    system.seed = 7
    try other.setSystem(system)
    #expect(try !isRed(EffectThumbnail(other).bitmap(size: 16)), "another document")
    #expect(try other.hasStaleThumbnail())
    other = package
    try other.container.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "Images/new")
    #expect(try !isRed(EffectThumbnail(other).bitmap(size: 16)), "another entry")
    #expect(try other.hasStaleThumbnail())
    other = package
    let bytes = try PNG.encode(Bitmap(width: 32, height: 32) { _, _ in (1, 0, 0, 1) })
    try other.container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: EffectPackage.thumbnailPath)
    #expect(try !isRed(EffectThumbnail(other).bitmap(size: 16)), "of another program")
    #expect(try !other.hasStaleThumbnail() && other.hasForeignThumbnail())
  }

  @Test("a damaged thumbnail is not used")
  func damaged() throws {
    var package = try package()
    try package.embedPreviews(size: 32)
    try paint(&package, size: 32)
    var bytes = try #require(
      try package.container.root[EffectPackage.thumbnailPath]?.contents?.bytes())
    let data = try #require(bytes.firstRange(of: Array("IDAT".utf8))).upperBound
    bytes[data + 4] ^= 0xFF
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: EffectPackage.thumbnailPath)
    #expect(try !isRed(EffectThumbnail(package).bitmap(size: 16)))
  }

  @Test("for a thumbnail in a flat package, it and the document are read, and nothing else")
  func cost() throws {
    var package = try package()
    // Each image has a block of its own.
    for name in ["flame", "ember", "smoke"] {
      let noise = SampleTree.noise(300 * 300 * 4, seed: UInt64(name.utf8.count))
      let image = try PNG.encode(Bitmap(width: 300, height: 300, pixels: noise))
      try package.container.root.setFileNode(
        FileNode(regularFileWithContents: image), at: "Images/\(name).png")
    }
    try package.embedPreviews(size: 64)
    let bytes = try package.container.encoded()
    #expect(bytes.count > 1_000_000)
    let ranges = Lock<[Range<Int>]>([])
    let source = ByteSource(size: bytes.count) { [bytes] offset, buffer in
      ranges.withLock { $0.append(offset..<offset + buffer.count) }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
    // Opening included: the last 32 KiB, of which the directory is a part.
    let opened = EffectPackage(try Container(decoding: source))
    let picture = try EffectThumbnail(opened).bitmap(size: 64)
    let read = ranges.withLock { ranges in
      defer { ranges = [] }
      return ranges
    }
    #expect(read.reduce(0) { $0 + $1.count } < 70_000, "\(read)")
    let isSame = try EffectThumbnail(opened).drawn(size: 64).bitmap == picture
    #expect(isSame)
    let whole = ranges.withLock { $0.reduce(0) { $0 + $1.count } }
    #expect(whole > 1_000_000, "a new one needs the images")
  }

  @Test("stale previews are drawn again in their size; those of other programs are kept")
  func refresh() throws {
    var package = try package("sparks")
    #expect(try !package.refreshPreviews() && package.container.root["QuickLook"] == nil)
    try package.embedPreviews(size: 40, animation: true)
    #expect(try !package.refreshPreviews())
    let old = package.container.root
    var system = try package.system()
    system.seed = 7
    try package.setSystem(system)
    #expect(try package.refreshPreviews() && !package.hasStaleThumbnail())
    let new = package.container.root
    for path in [EffectPackage.thumbnailPath, EffectPackage.movingPreviewPath] {
      #expect(try old[path]?.contents?.bytes() != new[path]?.contents?.bytes())
    }
    let bytes = try #require(try new[EffectPackage.thumbnailPath]?.contents?.bytes())
    #expect(try PNG.decode(bytes).width == 40)
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: [1, 2]), at: EffectPackage.thumbnailPath)
    #expect(try !package.refreshPreviews())
  }

  @Test("a moving preview plays in another reader", .enabled(if: Pillow.python != nil))
  func moving() throws {
    var package = try package("sparks")
    try package.embedPreviews(size: 16, animation: true)
    let bytes = try #require(
      try package.container.root["QuickLook/Preview.webp"]?.contents?.bytes())
    let picture = try Pillow(bytes, fileExtension: "webp")
    #expect(picture.format == "WEBP" && picture.width == 256 && picture.height == 256)
    #expect(picture.frames.count > 5 && Set(picture.frames).count > 5)
    #expect(picture.durations.reduce(0, +) <= 2_500)
  }
}
