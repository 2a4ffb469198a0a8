import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite("The types of the system")
struct BundledTypesTests {
  static let registry = TypeRegistry.standard

  @Test("the table holds together: no circles, no unknown supertypes, valid identifiers")
  func closed() {
    #expect(Self.registry.cycles.isEmpty)
    #expect(Self.registry.unknownSupertypes.isEmpty)
    #expect(Self.registry.types.count == 529)
    #expect(Self.registry.declarations.count == 529, "a type is declared twice")
    for type in Self.registry.types {
      #expect(TypeIdentifier.fault(in: type.identifier) == nil, "\(type)")
      let tags = type.tags
      for name in tags[.filenameExtension] ?? [] {
        #expect(!name.isEmpty && !name.contains("."), "\(type): \(name)")
      }
      for name in tags[.compoundExtension] ?? [] { #expect(name.contains("."), "\(type)") }
      for name in (tags[.mimeType] ?? []) + (tags[.sharedMIMEType] ?? []) {
        #expect(name.wholeMatch(of: /[a-z]+\/[\w.+-]+(;charset="?utf-(8|16)"?)?/) != nil, "\(name)")
      }
    }
  }

  @Test("each type beyond the system's own table names its source")
  func sources() throws {
    let path = "Sources/ParticlesTypes/Declarations/BundledTypes.swift"
    let source = String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
    let rows = source.matches(of: /\n    ([A-Za-z][\w.+-]+) @([a-z])/).map { (String($0.1), $0.2) }
    #expect(rows.count == 86)
    for (identifier, _) in rows {
      let declaration = try #require(Self.registry.declarations(of: identifier).first)
      #expect(declaration.source.path?.isEmpty == false, "\(identifier)")
      let isSystems = identifier.hasPrefix("public.") || identifier.hasPrefix("com.apple.")
      #expect(declaration.kind == (isSystems ? .system : .imported), "\(identifier)")
    }
    for name in ["dmg", "iso", "md", "mkv", "ogg", "opus", "eml", "apk", "ipa"] {
      #expect(UniformType(filenameExtension: name)?.isDeclared == true, "\(name)")
    }
  }

  @Test("every type has one physical form or none; the one exception is known")
  func physical() {
    let both = Self.registry.types.filter { $0.conforms(to: .data) && $0.conforms(to: .directory) }
    // The system declares this package to be sound, and sound to be data.
    #expect(both.map(\.identifier) == ["com.apple.garageband.project"])
  }

  @Test("every type that programs ask for by name is in the table")
  func constants() throws {
    let path = "Sources/ParticlesTypes/Registry/UniformType.swift"
    let source = String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
    let identifiers = source.matches(of: /= bundled\(\s*"([^"]+)"\)/).map { String($0.1) }
    #expect(identifiers.count > 40)
    for identifier in identifiers {
      #expect(UniformType(identifier)?.isDeclared == true, "\(identifier)")
    }
    #expect(UniformType.png.identifier == "public.png" && UniformType.png.isDeclared)
  }

  @Test(
    "facts of some types",
    arguments: [
      ("public.png", "png", "image/png", ["public.image", "public.data", "public.item"]),
      ("com.compuserve.gif", "gif", "image/gif", ["public.image", "public.content"]),
      ("public.jpeg", "jpeg", "image/jpeg", ["public.image"]),
      ("public.swift-source", "swift", nil, ["public.source-code", "public.plain-text"]),
      ("public.rtf", "rtf", "text/rtf", ["public.text", "public.content"]),
      ("public.svg-image", "svg", "image/svg+xml", ["public.image", "public.xml", "public.text"]),
      ("com.apple.rtfd", "rtfd", nil, ["com.apple.package", "public.composite-content"]),
      ("public.utf8-plain-text", nil, "text/plain;charset=utf-8", ["public.plain-text"]),
      ("org.particles-format.particles", "particles", "application/vnd.particles", ["public.data"]),
    ] as [(String, String?, String?, [String])])
  func facts(_ row: (String, String?, String?, [String])) throws {
    let type = try #require(UniformType(row.0))
    #expect(type.preferredFilenameExtension == row.1)
    #expect(type.preferredMIMEType == row.2)
    for supertype in row.3 {
      #expect(type.isSubtype(of: UniformType(importedAs: supertype)), "\(supertype)")
    }
  }

  /// The identifiers that the documents about document browsers name.
  @Test("standard types that applications list resolve with their supertypes")
  func listed() {
    #expect(UniformType.image.supertypes == [.data, .content, .item])
    #expect(UniformType.text.supertypes == [.data, .content, .item])
    #expect(UniformType.plainText.supertypes == [.text, .data, .content, .item])
    #expect(UniformType.rtf.supertypes == [.text, .data, .content, .item])
  }

  @Test("our own type has two forms: one is data and no package, the other the reverse")
  func ours() {
    #expect(UniformType.particles.conforms(to: .data))
    #expect(!UniformType.particles.conforms(to: .package))
    #expect(UniformType.particlesPackage.conforms(to: .package))
    #expect(!UniformType.particlesPackage.conforms(to: .data))
    for type in [UniformType.particles, .particlesPackage] {
      #expect(type.conforms(to: .content) && type.preferredFilenameExtension == "particles")
    }
  }

  @Test("desktops have names of their own for some types, and one for all directories")
  func shared() {
    #expect(UniformType("com.apple.icns")?.sharedMIMEType == "image/x-icns")
    #expect(UniformType("com.apple.icns")?.preferredMIMEType == nil)
    #expect(UniformType.png.sharedMIMEType == "image/png")
    #expect(UniformType.particlesPackage.sharedMIMEType == "inode/directory")
    #expect(UniformType.image.sharedMIMEType == nil)
    #expect(UniformType(mimeType: "image/x-icns")?.identifier == "com.apple.icns")
    #expect(UniformType(mimeType: "image/heif")?.identifier == "public.heif")
  }
}
