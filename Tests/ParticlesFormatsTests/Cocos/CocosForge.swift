import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Files of the family, written by hand so that no writer of ours tests itself.
enum CocosForge {
  /// What every forged file says, so that nothing has to be assumed.
  static let plain: [(String, String)] = [
    ("emitterType", "0"), ("maxParticles", "100"), ("duration", "-1"), ("particleLifespan", "2"),
    ("positionType", "0"), ("blendFuncSource", "770"), ("blendFuncDestination", "1"),
    ("startColorAlpha", "1"), ("finishColorAlpha", "1"),
  ]

  static func merged(_ changes: [(String, String)]) -> [(String, String)] {
    plain.filter { member in !changes.contains { $0.0 == member.0 } } + changes
  }

  private static func isNumber(_ text: String) -> Bool { Double(text) != nil }

  static func propertyList(_ changes: [(String, String)] = []) -> [UInt8] {
    let members = merged(changes).map { key, value in
      let type = isNumber(value) ? (value.contains(".") ? "real" : "integer") : "string"
      return "\t<key>\(key)</key>\n\t<\(type)>\(value)</\(type)>\n"
    }
    return xml("<dict>\n\(members.joined())</dict>")
  }

  /// A property list around some elements.
  static func xml(_ content: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(content)
      </plist>

      """.utf8)
  }

  static func json(_ changes: [(String, String)] = []) -> [UInt8] {
    let members = merged(changes).map { key, value in
      "  \"\(key)\": " + (isNumber(value) ? value : "\"\(value)\"")
    }
    return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
  }

  /// Elements as they stand in a `.pex` file.
  static func starling(_ elements: String = "") -> [UInt8] {
    Array(
      """
      <particleEmitterConfig>
        <texture name=""/>
        <maxParticles value="101"/>
        <particleLifeSpan value="2.0"/>
        <duration value="-1"/>
        <startColor red="1" green="1" blue="1" alpha="1"/>
        <finishColor red="1" green="1" blue="1" alpha="1"/>
        <blendFuncSource value="770"/>
        <blendFuncDestination value="1"/>
      \(elements)
      </particleEmitterConfig>

      """.utf8)
  }

  // MARK: Reading

  /// The emitter of a file, and the rules of its findings. The document is valid.
  static func emitter(
    _ bytes: [UInt8], as format: ParticleFormat
  ) throws -> (emitter: Emitter, rules: [Rule]) {
    let imported = try format.decode(bytes, DecodingContext(fileName: "test.x"))
    #expect(imported.system.diagnostics().allSatisfy { $0.severity < .warning })
    return (try #require(imported.system.emitters.first), imported.diagnostics.map(\.rule))
  }

  static func cocos2d(_ changes: [(String, String)]) throws -> (emitter: Emitter, rules: [Rule]) {
    try emitter(propertyList(changes), as: .cocos2d)
  }
}

// MARK: - Images

extension CocosForge {
  /// gzip without compression, so that every library gives equal bytes.
  static func storedGzip(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1])
    writer.littleEndian(UInt64(bytes.count), 2)
    writer.littleEndian(~UInt64(bytes.count), 2)
    writer.write(bytes)
    writer.u32(CRC32.checksum(bytes))
    writer.u32(UInt32(bytes.count))
    return writer.bytes
  }

  /// A TIFF as Particle Designer writes it: 4 × 4 pixels of RGBA, straight alpha, two strips.
  static let tiff: [UInt8] = {
    var file: [UInt8] = [0x4D, 0x4D]
    func add(_ value: Int, _ size: Int) {
      for place in (0..<size).reversed() {
        file.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
      }
    }
    let table = 8 + 64
    // Behind the table stand the values that do not fit into it.
    let rest = table + 2 + 11 * 12 + 4
    add(42, 2)
    add(table, 4)
    for number in 0..<16 {
      file += [UInt8(number * 16), 128, UInt8(255 - number * 16), UInt8(number * 17)]
    }
    let entries: [[Int]] = [
      [256, 3, 1, 4], [257, 3, 1, 4], [258, 3, 4, rest], [259, 3, 1, 1], [262, 3, 1, 2],
      [273, 4, 2, rest + 8], [277, 3, 1, 4], [278, 3, 1, 2], [279, 4, 2, rest + 16],
      [284, 3, 1, 1], [338, 3, 1, 2],
    ]
    add(entries.count, 2)
    for entry in entries {
      let isShort = entry[1] == 3 && entry[2] == 1
      add(entry[0], 2)
      add(entry[1], 2)
      add(entry[2], 4)
      add(entry[3], isShort ? 2 : 4)
      if isShort { add(0, 2) }
    }
    add(0, 4)
    for _ in 0..<4 { add(8, 2) }
    for value in [8, 40, 32, 32] { add(value, 4) }
    return file
  }()

  // MARK: Fixtures

  /// Embers rising from a fire.
  static let ember: [(String, String)] = [
    ("maxParticles", "60"), ("particleLifespan", "1.5"), ("particleLifespanVariance", "0.5"),
    ("sourcePositionVariancex", "20"), ("sourcePositionVariancey", "4"), ("angle", "90"),
    ("angleVariance", "15"), ("speed", "60"), ("speedVariance", "20"), ("gravityy", "30"),
    ("radialAcceleration", "-5"), ("startParticleSize", "12"), ("startParticleSizeVariance", "4"),
    ("finishParticleSize", "2"), ("startColorRed", "1"), ("startColorGreen", "0.75"),
    ("startColorBlue", "0.25"), ("finishColorRed", "1"), ("finishColorAlpha", "0"),
  ]

  /// A ring that draws together.
  static let ring: [(String, String)] = [
    ("emitterType", "1"), ("angleVariance", "180"), ("maxRadius", "100"),
    ("maxRadiusVariance", "5"), ("minRadius", "20"), ("rotatePerSecond", "90"),
    ("startParticleSize", "16"), ("finishParticleSize", "-1"), ("rotationStart", "45"),
  ]
}
