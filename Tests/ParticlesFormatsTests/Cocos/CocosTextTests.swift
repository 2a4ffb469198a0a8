import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Property lists and Starling's XML in encodings other than UTF-8.
@Suite("Encodings of the cocos2d family") struct CocosTextTests {
  private static func narrow(_ bytes: [UInt8], as name: String) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self).replacing("UTF-8", with: name)
    // Code points of Latin-1 are bytes.
    return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  private static func imported(_ bytes: [UInt8], _ name: String) throws -> Imported {
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    return try format.decode(bytes, DecodingContext(fileName: name))
  }

  @Test("a name in ISO-8859-1 or windows-1252 is read, and goes back unchanged")
  func names() throws {
    let list = CocosForge.propertyList([("configName", "Gr\u{FC}n")])
    for encoding in ["ISO-8859-1", "windows-1252"] {
      let bytes = Self.narrow(list, as: encoding)
      let read = try Self.imported(bytes, "a.plist")
      #expect(read.system.emitters[0].name == "Gr\u{FC}n" && read.diagnostics.isEmpty)
      let same = try read.package().exported(as: .cocos2d, fileName: "a.plist")
      #expect(same.parts.first?.bytes == bytes)
      // An edited list is written in UTF-8.
      var package = try read.package()
      var system = try package.system()
      system.emitters[0].name = "\u{20AC}"
      try package.setSystem(system)
      let new = try #require(package.exported(as: .cocos2d, fileName: "a.plist").parts.first?.bytes)
      #expect(String(validating: new, as: UTF8.self)?.contains("encoding=\"UTF-8\"") == true)
      #expect(try Self.imported(new, "a.plist").system.emitters[0].name == "\u{20AC}")
    }
  }

  @Test("bytes of windows-1252 in a file that states UTF-8 are read with a warning")
  func wrong() throws {
    let list = Self.narrow(CocosForge.propertyList([("configName", "Gr\u{FC}n")]), as: "UTF-8")
    let read = try Self.imported(list, "a.plist")
    #expect(read.system.emitters[0].name == "Gr\u{FC}n")
    #expect(read.diagnostics.map(\.rule) == [.xmlEncoding])
    let pex = Self.narrow(CocosForge.starling("  <configName value=\"Gr\u{FC}n\"/>"), as: "UTF-8")
    let other = try Self.imported(pex, "a.pex")
    #expect(other.system.emitters[0].name == "Gr\u{FC}n")
    #expect(other.diagnostics.map(\.rule) == [.xmlEncoding])
  }
}
