import ParticlesPropertyLists
import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite struct CocosImageTests {
  private static func png(_ shade: Double) throws -> [UInt8] {
    try PNG.encode(Bitmap(width: 2, height: 2) { _, _ in (shade, shade, shade, 1) })
  }

  private func read(
    _ changes: [(String, String)], beside: [String: [UInt8]] = [:]
  ) throws -> Imported {
    try ParticleFormat.cocos2d.decode(
      CocosForge.propertyList(changes), DecodingContext(fileName: "a.plist") { beside[$0] })
  }

  @Test func theFileComesFirst() throws {
    let (file, inside) = (try Self.png(1), try Self.png(0))
    let changes = [("textureFileName", "a.png"), ("textureImageData", inside.base64)]
    let both = try read(changes, beside: ["a.png": file])
    #expect(both.images == ["Images/a.png": file])
    let alone = try read(changes)
    #expect(alone.images == ["Images/a.png": inside])
    #expect(alone.diagnostics.isEmpty)
  }

  @Test func aBrokenImageFallsBackToTheFile() throws {
    let file = try Self.png(1)
    let text = String(CocosForge.storedGzip(file).base64.dropLast(12))
    let changes = [("textureFileName", "a.png"), ("textureImageData", text)]
    let found = try read(changes, beside: ["a.png": file])
    #expect(found.images == ["Images/a.png": file])
    #expect(found.diagnostics.map(\.rule) == [.embeddedImage])
    let missing = try read(changes)
    #expect(missing.images.isEmpty)
    #expect(missing.diagnostics.map(\.rule) == [.embeddedImage, .missingImage])
    #expect(missing.system.images == [ImageReference(name: "a.png", uri: "Images/a.png")])
    #expect(missing.system.emitters[0].sprites == [0])
  }

  @Test("every wrapping", arguments: ["raw", "gzip", "zlib", "lines", "unpadded"])
  func wrappings(kind: String) throws {
    let image = try Self.png(0.5)
    let text =
      switch kind {
      case "gzip": CocosForge.storedGzip(image).base64
      case "zlib":
        (image.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: 1000) } ?? []).base64
      case "lines": image.base64.map { "\($0)\n" }.joined()
      case "unpadded": image.base64.filter { $0 != "=" }
      default: image.base64
      }
    let imported = try read([("textureImageData", text)])
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.images == ["Images/particle.png": image])
  }

  @Test("an embedded picture of another format is read, and named if it is none")
  func otherFormats() throws {
    let jpeg = try Files.read(Repository.path("Fixtures/images/color.jpg"))
    let imported = try read([("textureImageData", jpeg.base64)])
    #expect(imported.diagnostics.isEmpty && imported.system.images[0].width == 40)
    #expect(imported.images == ["Images/particle.jpg": jpeg])
    let damaged = try read([("textureImageData", Array(jpeg.prefix(300)).base64)])
    #expect(damaged.images.isEmpty && damaged.diagnostics.map(\.rule) == [.embeddedImage])
    let svg = try read([("textureImageData", Array("<svg/>".utf8).base64)])
    #expect(svg.diagnostics.map(\.rule) == [.embeddedImage])
    #expect(svg.diagnostics[0].found == "an SVG picture; export it as PNG")
  }

  @Test func namesThatSayAnotherKind() throws {
    let imported = try read([
      ("textureFileName", "C:\\art\\Flame.TGA"), ("textureImageData", CocosForge.tiff.base64),
    ])
    #expect(imported.images.keys.sorted() == ["Images/Flame.png", "Source/Flame.tiff"])
  }

  // MARK: Writing

  @Test func imagesAreEmbeddedOrBeside() throws {
    let file = try Self.png(1)
    let package = try read([("textureFileName", "a.png")], beside: ["a.png": file]).package()
    for format in [ParticleFormat.particleDesigner, .starling] {
      let embedded = try package.exported(as: format, fileName: "b.x")
      #expect(embedded.beside.isEmpty)
      let again = try format.decode(embedded.parts[0].bytes, DecodingContext(fileName: "b.x"))
      #expect(again.images == ["Images/a.png": file])
      let apart = try package.exported(as: format, fileName: "b.x", images: .beside)
      #expect(apart.beside == ["a.png": file])
      #expect(apart.parts[0].bytes.count < embedded.parts[0].bytes.count)
    }
    // What names its image in its own format goes on doing so.
    #expect(try package.exported(as: .cocos2d, fileName: "a.plist").beside == ["a.png": file])
  }

  @Test func anotherImageIsWritten() throws {
    let (old, new) = (try Self.png(1), try Self.png(0))
    let imported = try read([
      ("textureFileName", "a.png"), ("textureImageData", old.base64), ("speed", "7.00"),
    ])
    var system = imported.system
    system.images[0] = ImageReference(describing: new, at: "Images/b.png")
    var package = try imported.package()
    try package.container.root.setFileNode(.init(regularFileWithContents: new), at: "Images/b.png")
    try package.setSystem(system)
    let exported = try package.exported(as: .cocos2d, fileName: "a.plist")
    let again = try ParticleFormat.cocos2d.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.plist"))
    #expect(again.images == ["Images/b.png": new])
    #expect(String(decoding: exported.parts[0].bytes, as: UTF8.self).contains("<real>7.00</real>"))
  }

  // MARK: The corpus

  /// The TIFFs inside of files that others made.
  private static func embeddedTIFFs() throws -> [(path: String, bytes: [UInt8])] {
    var found: [(String, [UInt8])] = []
    for path in Corpus.files("plist", "plist") + Corpus.files("pex", "pex") {
      let root = try XMLParser.parse(Files.read(path))
      let text: String?
      if root.name == "plist" {
        let members = try PropertyListValue(decoding: Files.read(path)).members ?? []
        guard
          case .string(let value)? = members.first(where: { $0.key == "textureImageData" })?.value
        else { continue }
        text = value
      } else {
        text = root.children.first { $0.name == "texture" }?["data"]
      }
      guard let text, var bytes = try? [UInt8](base64: text, rule: .image) else { continue }
      if bytes.first == 0x1F {
        bytes = (try? Zlib.inflate(bytes, limit: 1 << 24, rule: .image)) ?? []
      }
      if ImageFormat(of: bytes) == .tiff { found.append((path, bytes)) }
    }
    return found
  }

  @Test(
    .enabled(if: Corpus.isPresent, "there is no ../shared/corpus"),
    .enabled(if: LibTIFF.isInstalled, "tiff2rgba is not installed"))
  func libtiffSeesTheSame() throws {
    let images = try Self.embeddedTIFFs()
    print("embedded TIFFs compared with libtiff: \(images.count)")
    #expect(images.count > 40)
    for (path, bytes) in images {
      let ours = try TIFF.decode(bytes)
      #expect(try LibTIFF.pixels(of: bytes) == LibTIFF.multiplied(ours.pixels), "\(path)")
    }
  }
}
