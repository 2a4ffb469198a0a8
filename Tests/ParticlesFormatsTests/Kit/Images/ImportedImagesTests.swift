import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
@testable import ParticlesFormats

@Suite struct ImportedImagesTests {
  private static func png(_ shade: Double) throws -> [UInt8] {
    try PNG.encode(Bitmap(width: 2, height: 2) { _, _ in (shade, shade, shade, 1) })
  }

  /// An effect with a child, each with its image.
  private static func effect(_ root: ForgedValue, _ child: ForgedValue) -> [UInt8] {
    SceneKitForge.archive(
      .init("particleImage", root),
      .init("systemSpawnedOnDying", SceneKitForge.system([.init("particleImage", child)])))
  }

  @Test func differentImagesOfOneNameBothSurvive() throws {
    let (red, blue) = (try Self.png(1), try Self.png(0.5))
    let imported = try ParticleFormat.sceneKit.decode(
      Self.effect(SceneKitForge.image("a/spark.png"), SceneKitForge.image("b/Spark.png")),
      DecodingContext(fileName: "a.scnp") { $0.hasPrefix("a") ? red : blue })
    #expect(imported.images == ["Images/spark.png": red, "Images/Spark-2.png": blue])
    #expect(imported.system.emitters.map(\.sprites) == [[0], [1]])
    for format in FormatRegistry.standard.formats where format.canWrite && !format.isArchive {
      let exported = try imported.package().exported(
        as: format, fileName: "a.x", images: .beside)
      #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
      guard !format.name.hasSuffix("spritekit") else { continue }
      // Materials and settings of Unity are files beside, too.
      let pictures = exported.beside.filter { $0.key.hasSuffix(".png") }
      #expect(pictures == ["spark.png": red, "Spark-2.png": blue], "\(format.name)")
    }
  }

  @Test func sameBytesAreOneImage() throws {
    let image = try Self.png(1)
    let imported = try ParticleFormat.sceneKit.decode(
      Self.effect(SceneKitForge.image("spark.png"), .data(image)),
      DecodingContext(fileName: "a.scnp") { _ in image })
    #expect(imported.images == ["Images/spark.png": image])
    #expect(imported.system.sprites.count == 1)
  }

  @Test("TGA becomes PNG, and the other formats that browsers decode stay")
  func otherFormats() throws {
    for (name, isConverted) in [
      ("runs.tga", true), ("color.jpg", false), ("lossy.webp", false), ("plain.gif", false),
      ("runs-8.bmp", false),
    ] {
      let bytes = try Files.read(Repository.path("Fixtures/images/\(name)"))
      let imported = try ParticleFormat.cocos2d.decode(
        CocosForge.propertyList([("textureFileName", name)]),
        DecodingContext(fileName: "a.plist") { _ in bytes })
      let png = Files.stem(of: name) + ".png"
      let paths = isConverted ? ["Images/\(png)", "Source/\(name)"] : ["Images/\(name)"]
      #expect(imported.images.keys.sorted() == paths)
      #expect(imported.diagnostics.isEmpty)
      #expect(imported.system.images[0].width == (name == "color.jpg" ? 40 : 13))
      // The file names the picture that it came with.
      let exported = try imported.package().exported(as: .cocos2d, fileName: "a.plist")
      #expect(exported.beside == [name: bytes], "\(exported.beside.keys)")
    }
  }

  @Test("a file that is no picture is reported by text formats, archives and trees")
  func unread() throws {
    let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:5f8b\n".utf8)
    let sources: [(ParticleFormat, [UInt8])] = [
      (.cocos2d, CocosForge.propertyList([("textureFileName", "a.png")])),
      (.sceneKit, Self.effect(SceneKitForge.image("a.png"), SceneKitForge.image("a.png"))),
      (.libGDX, try Files.read(Repository.path("Fixtures/effects/libgdx/snow.p"))),
    ]
    for (format, bytes) in sources {
      let imported = try format.decode(bytes, DecodingContext(fileName: "a.x") { _ in pointer })
      let found = imported.diagnostics.filter { $0.severity > .note }
      #expect(found.map(\.rule) == [.imageUnchecked], "\(format.name): \(found)")
    }
  }

  @Test func keptOriginalsHaveNamesOfTheirOwnToo() throws {
    let tiff = CocosForge.tiff
    let imported = try ParticleFormat.sceneKit.decode(
      Self.effect(SceneKitForge.image("a/spark.tif"), SceneKitForge.image("b/spark.tif")),
      DecodingContext(fileName: "a.scnp") { $0.hasPrefix("a") ? tiff : tiff + [0] })
    #expect(
      imported.images.keys.sorted() == [
        "Images/spark-2.png", "Images/spark.png", "Source/spark-2.tif", "Source/spark.tif",
      ])
  }

  @Test func manySpritesTakeLittleTime() throws {
    var images = ImportedImages(context: DecodingContext(fileName: "a.x"))
    var system = ParticleSystem()
    let time = try ContinuousClock().measure {
      for number in 0..<20_000 {
        let image = try images.add(
          [UInt8](0...7).map { $0 &+ UInt8(number & 7) }, named: "a.png",
          at: "", to: &system)
        var sprite = Sprite(image: image)
        sprite.scale = Double(number + 1)
        #expect(images.index(of: sprite, in: &system) == number)
        #expect(images.addUnresolved("\(number)/a.png", to: &system) != nil)
      }
    }
    #expect(system.images.count == 20_008)
    #expect(Set(system.images.map(\.uri)).count == 20_008)
    #expect(time < .seconds(30))
  }

  // MARK: Images that were not found

  @Test func anAbsentImageKeepsItsNameAndGrid() throws {
    let bytes = SceneKitForge.archive(
      .init("particleImage", SceneKitForge.image("/Users/x/art/spark.png")),
      .init("imageSequenceColumnCount", .int(4)), .init("imageSequenceRowCount", .int(2)))
    let imported = try ParticleFormat.sceneKit.decode(bytes, DecodingContext(fileName: "a.scnp"))
    #expect(imported.diagnostics.map(\.rule) == [.missingImage])
    #expect(imported.images.isEmpty)
    let image = try #require(imported.system.images.first)
    #expect((image.name, image.uri) == ("/Users/x/art/spark.png", "Images/spark.png"))
    #expect(image.sha256 == nil)
    #expect(imported.system.sprites.first?.grid == SpriteGrid(columns: 4, rows: 2))
    let package = try imported.package()
    for format in FormatRegistry.standard.formats where format.canWrite && !format.isArchive {
      let exported = try package.exported(as: format, fileName: "a.x")
      #expect(!exported.beside.keys.contains { $0.hasSuffix(".png") })
      #expect(exported.losses.contains { $0.rule == .missingImage }, "\(format.name)")
      #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
      // Prefabs name a picture in a material.
      guard format.canRead, format.name != "unity" else { continue }
      let again = try format.decode(exported.parts[0].bytes, DecodingContext(fileName: "a.x"))
      #expect(again.images.isEmpty, "\(format.name)")
      // Flat configurations of PixiJS name no images: the program passes the textures.
      let names = format.name == "pixi-legacy" ? [] : ["Images/spark.png"]
      #expect(again.system.images.map(\.uri) == names, "\(format.name)")
    }
    #expect(try package.exported(as: .sceneKit, fileName: "a.scnp").parts[0].bytes == bytes)
  }

  @Test(arguments: [("spark.png", ".png"), ("spark", "")])
  func namesComeBackFromSpriteKit(name: String, ending: String) throws {
    let imported = try ParticleFormat.cocos2d.decode(
      CocosForge.propertyList([("textureFileName", name)]), DecodingContext(fileName: "a.plist"))
    let archive = try imported.package().exported(as: .spriteKit, fileName: "a.sks")
    let again = try ParticleFormat.spriteKit.decode(
      archive.parts[0].bytes, DecodingContext(fileName: "a.sks"))
    #expect(again.system.images.map(\.name) == [name])
    let list = try again.package().exported(as: .cocos2d, fileName: "a.plist")
    let text = String(decoding: list.parts[0].bytes, as: UTF8.self)
    #expect(text.contains("<string>\(name)</string>"))
  }

  @Test func anAbsentImageIsAbsentAgainWhenTheSourceIsRead() throws {
    let image = try Self.png(1)
    let bytes = Self.effect(
      SceneKitForge.image("a/spark.png"), SceneKitForge.image("spark.png"))
    let imported = try ParticleFormat.sceneKit.decode(
      bytes, DecodingContext(fileName: "a.scnp") { $0 == "spark.png" ? image : nil })
    #expect(imported.system.images.map(\.uri) == ["Images/spark.png", "Images/spark-2.png"])
    let exported = try imported.package().exported(as: .sceneKit, fileName: "a.scnp")
    #expect(exported.parts[0].bytes == bytes)
  }
}
