import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Files and source code that are written have no characters that an editor obeys and does not show.
@Suite("Names in what is written") struct ShownTextTests {
  static let controls: [Unicode.Scalar] = [
    "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{9B}", "\u{85}", "\u{7F}", "\u{2028}",
    "\u{7}",
    "\n",
  ]

  /// A name with all control characters.
  static let name = "a" + controls.map { "\($0)b\"\\" }.joined() + "c"

  /// This name without characters that some formats or places refuse.
  static let plainName = "a" + controls.map { "\($0)b" }.joined()

  /// An effect with such a name in every place.
  private static func system() -> ParticleSystem {
    var emitters = ["first", "second"].map { Emitter(name: "\(name) \($0)") }
    for index in emitters.indices {
      emitters[index].emission.rate = 5
      emitters[index].lifetime = 1
      emitters[index].sprites = [index]
      emitters[index].extras = ["note": .string(name), name: .string(name)]
    }
    emitters[0].triggers = [Trigger(.death, emitter: 1)]
    var system = ParticleSystem(name: name, emitters: emitters)
    system.asset.author = name
    system.asset.copyright = name
    system.asset.comment = name
    system.extras = [name: .string(name)]
    system.images = ["one", "two"].map {
      ImageReference(name: name + $0, uri: "\(plainName)\($0).png")
    }
    system.sprites = [Sprite(image: 0), Sprite(image: 1)]
    return system
  }

  private static let formats = FormatRegistry.standard.formats.filter {
    $0.canWrite && !$0.isArchive
  }

  /// The formats whose files are not text.
  private static let binary = ["scenekit", "spritekit"]

  /// Returns the control characters of a text that are no line breaks.
  private static func faults(_ bytes: [UInt8]) throws -> [String] {
    try #require(String(validating: bytes, as: UTF8.self)).unicodeScalars.filter {
      $0.isControl && $0 != "\n" && $0 != "\t"
    }.map { String($0.value, radix: 16) }
  }

  @Test("no format and no source code has one of them as it is", arguments: formats)
  func written(format: ParticleFormat) throws {
    let system = Self.system()
    let exported = try format.export(
      system, EncodingContext(fileName: "\(Self.name).\(format.extensions[0])"))
    #expect(!exported.parts.isEmpty)
    for part in exported.parts where !Self.binary.contains(format.name) {
      #expect(try Self.faults(part.bytes) == [], "\(format.name)")
    }
    guard format.canRead else { return }
    // Every emitter has its name again, or a line tells about it.
    let read = try format.effect(in: exported).system
    let told = exported.losses.compactMap(\.loss)
    for (index, emitter) in system.emitters.enumerated()
    where read.emitters.indices.contains(index) && read.emitters[index].name != emitter.name {
      #expect(told.contains { $0.covers("emitters[\(index)].name") }, "\(format.name)")
    }
  }

  /// The formats that have a name for each emitter, and escapes in it.
  private static let withEscapes: Set = [
    "spritekit", "love", "defold", "phaser", "quarks", "tsparticles", "godot3", "godot4", "unity",
  ]

  @Test("formats with escapes read the same name again", arguments: formats.filter(\.canRead))
  func readAgain(format: ParticleFormat) throws {
    let system = ParticleSystem(
      name: "x", emitters: ["1", "2"].map { Emitter(name: Self.plainName + $0) })
    let exported = try format.export(
      system, EncodingContext(fileName: "x.\(format.extensions[0])"))
    let names = try format.effect(in: exported).system.emitters.map(\.name)
    let lines = exported.losses.filter { $0.loss?.covers("emitters[0].name") ?? false }
    if Self.withEscapes.contains(format.name) {
      #expect(names == system.emitters.map(\.name) && lines.isEmpty, "\(format.name)")
    } else {
      let isPlain = format.name == "libgdx"
      #expect(lines.map(\.rule) == [isPlain ? .approximated : .lost], "\(format.name)")
      if isPlain {
        #expect(names == system.emitters.map { $0.name.replacingControls { _ in " " } })
      }
    }
  }

  @Test(
    "a name that is changed in a file is escaped there", arguments: UnsoundFileTests.files.indices)
  func edited(number: Int) throws {
    let (name, paths) = UnsoundFileTests.files[number]
    let format = try #require(FormatRegistry.standard[name])
    guard format.canWrite, !Self.binary.contains(name) else { return }
    for path in paths where !path.contains("binary") {
      let opened = try OpenedEffect(
        bytes: Fixture.read(path), name: Files.lastComponent(of: path), as: format,
        images: ImageFinder(besides: Fixture.path(path)))
      var package = opened.package
      var system = try package.system()
      for index in system.emitters.indices { system.emitters[index].name += Self.name }
      try package.setSystem(system)
      let exported = try package.exported(as: format, fileName: Files.lastComponent(of: path))
      for part in exported.parts {
        #expect(try Self.faults(part.bytes).filter { $0 != "d" } == [], "\(path)")
      }
    }
  }

  @Test("texts of code and scenes are read with the escapes of their language")
  func escapes() {
    for escapes in [TextEscapes.lua, .protobuf, .godot] {
      for scalar in (0...0xFFFF).lazy.compactMap({ Unicode.Scalar($0 as UInt32) })
      where scalar.value < 0x3000 {
        let text = "é\(scalar)7"
        #expect(Self.read(escapes.quoted(text), escapes) == text)
      }
    }
    #expect(Self.read(#""\65\x42\u\n\'\9z""#, .lua) == "ABu\n'\tz")
    #expect(Self.read(#""\101\x42\u00e9\U0001D11E\a""#, .protobuf) == "ABé𝄞\u{7}")
    #expect(Self.read(#""\u00e9\U01D11E\ud800\a\u""#, .godot) == "é𝄞\u{FFFD}au")
  }

  /// Reads a text in quotes.
  private static func read(_ quoted: String, _ escapes: TextEscapes) -> String {
    let text = Array(quoted.utf8.dropFirst().dropLast())
    var (bytes, place) = ([] as [UInt8], 0)
    while place < text.count {
      if text[place] == UInt8(ascii: "\\"), place + 1 < text.count {
        place += 1
        bytes += escapes.read(text, at: &place)
      } else {
        bytes.append(text[place])
        place += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("the comments of source code have spaces in place of them")
  func comments() throws {
    let exported = try ParticleFormat.swiftSpriteKit.export(
      Self.system(), EncodingContext(fileName: "a.swift"))
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.contains(#"the effect “a b"\ b"\"#))
    #expect(text.contains(#"\u{202e}b\"\\\u{2066}"#))
  }
}
