internal import ParticlesPropertyLists
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesTypes

/// Initial inputs of the fuzzer, made from files of any kind.
enum Seeds {
  static func packages(_ file: [UInt8]) -> [[UInt8]] {
    Container.isFlatPackage(file) ? [file] : []
  }

  /// The steps of the target `saving` are selected by any bytes; these serve as well as others.
  static func histories(_ file: [UInt8]) -> [[UInt8]] {
    Container.isFlatPackage(file) ? [Array(file.prefix(256))] : []
  }

  /// An archive of a format; a package is packed as one.
  static func files(_ file: [UInt8], of format: ParticleFormat) -> [[UInt8]] {
    if format.recognise(file, "") { return [file] }
    guard let package = try? Container(decoding: file), case .files(_, let pack) = format.content
    else { return [] }
    var packed: [UInt8] = []
    _ = try? pack(package.root) { packed += $0 }
    return [packed]
  }

  /// Files that declare types.
  static func types(_ file: [UInt8]) -> [[UInt8]] {
    guard let types = try? TypesFile(file, path: "input"), file.count < 16 << 10 else { return [] }
    return types.declarations.isEmpty && types.claims.isEmpty ? [] : [file]
  }

  /// A property list, as it is and as XML.
  static func propertyLists(_ file: [UInt8]) -> [[UInt8]] {
    guard let list = try? PropertyListValue(decoding: file) else { return [] }
    return [file, list.xml]
  }

  /// A TIFF file, or one embedded in a file of another format.
  static func tiffs(_ file: [UInt8]) -> [[UInt8]] {
    if ImageFormat(of: file) == .tiff { return [file] }
    let context = DecodingContext(fileName: "seed")
    let imported = FormatRegistry.standard.formats.lazy.compactMap { try? $0.decode(file, context) }
      .first
    return imported?.images.values.filter { ImageFormat(of: $0) == .tiff } ?? []
  }

  /// The document of a package, or a file that is JSON itself.
  static func documents(_ file: [UInt8]) -> [[UInt8]] {
    if let package = try? Container(decoding: file) {
      let document = try? package.root[EffectPackage.documentPath]?.regularFileContents()
      return [document].compactMap(\.self)
    }
    return (try? JSONParser.parse(file)) == nil ? [] : [file]
  }

  /// Images of a package, or an image file; a PNG also in Apple's variant.
  static func images(_ file: [UInt8]) -> [[UInt8]] {
    var files = [file]
    try? Container(decoding: file).root.forEachDescendant { _, node in
      files += [try node.regularFileContents()].compactMap(\.self)
    }
    return files.filter { ImageFormat(of: $0) != nil }.flatMap {
      [$0] + (ImageFormat(of: $0) == .png ? [try? appleVariant(of: $0)].compactMap(\.self) : [])
    }
  }

  /// A PNG with the chunks of Apple's variant. The checksums of chunks are omitted: the reader
  /// ignores them.
  private static func appleVariant(of image: [UInt8]) throws -> [UInt8] {
    var reader = ByteReader(image, rule: .image)
    try reader.seek(to: PNG.signature.count)
    var variant = PNG.signature
    var data: [UInt8] = []
    func chunk(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
      let count = UInt32(content.count).bigEndian
      return withUnsafeBytes(of: count) { Array($0) } + kind + content + [0, 0, 0, 0]
    }
    variant += chunk(Array("CgBI".utf8), [0x50, 0, 0x20, 2])
    while !reader.isAtEnd {
      let count = Int(try reader.bigEndian(4))
      let kind = Array(try reader.read(4))
      let content = Array(try reader.read(count))
      _ = try reader.u32()
      switch String(decoding: kind, as: UTF8.self) {
      case "IDAT": data += content
      // The deflate stream without the header and checksum of zlib.
      case "IEND": variant += chunk(Array("IDAT".utf8), Array(data.dropFirst(2).dropLast(4)))
      default: break
      }
      if kind != Array("IDAT".utf8) { variant += chunk(kind, content) }
    }
    return variant
  }
}
