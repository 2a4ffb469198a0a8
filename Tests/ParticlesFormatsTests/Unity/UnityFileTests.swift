import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Materials of Unity, and the text of its assets.
@Suite("Unity files")
struct UnityFileTests {
  // MARK: Materials

  private static let guid = String(repeating: "b", count: 32)

  private static func material(
    _ shader: String, _ floats: String = "[]", _ files: [String: String] = [:]
  ) throws
    -> (Emitter, [Diagnostic])
  {
    let text =
      UnityTests.heading
        + """
        --- !u!21 &2100000
        Material:
          m_Name: m
          m_Shader: \(shader)
          m_SavedProperties:
            m_TexEnvs: []
            m_Floats: \(floats)
            m_Colors:
            - _TintColor: {r: 0.5, g: 0.5, b: 0.5, a: 0.5}
        """
    let imported = try UnityTests.read(
      "  lengthInSec: 1", renderer: "  m_Materials:\n  - {fileID: 2100000, guid: \(guid), type: 2}",
      files: files.merging(["guid:\(guid)": text]) { first, _ in first })
    return (imported.system.emitters[0], imported.diagnostics)
  }

  @Test("blending follows from Unity's own shaders, from values, or from the text of a shader")
  func blending() throws {
    let own: [Int: BlendMode] = [
      200: .add, 202: .screen, 203: .alpha, 205: .multiplyAlpha, 206: .multiplyX2, 10720: .add,
      10753: .alpha,
    ]
    for (number, mode) in own {
      let (emitter, findings) = try Self.material(
        "{fileID: \(number), guid: 0000000000000000f000000000000000, type: 0}")
      #expect(emitter.render.blend.mode == mode, "\(number)")
      #expect(!findings.contains { $0.rule == .assumed }, "\(number)")
    }
    for (source, destination, mode) in [
      (5, 10, BlendMode.alpha), (5, 1, .add), (1, 10, .premultiplied), (1, 0, .replace),
    ] {
      let (emitter, _) = try Self.material(
        "{fileID: 211, guid: 0000000000000000f000000000000000, type: 0}",
        "[{_SrcBlend: \(source)}, {_DstBlend: \(destination)}]")
      #expect(emitter.render.blend.mode == mode)
    }
    let shader = String(repeating: "c", count: 32)
    let text = "Shader \"Mine\" {\n  SubShader {\n    Blend SrcAlpha One\n  }\n}\n"
    let (added, findings) = try Self.material(
      "{fileID: 4800000, guid: \(shader), type: 3}", "[]", ["guid:\(shader)": text])
    #expect(added.render.blend.mode == .add && findings.contains { $0.rule == .approximated })
    let (unknown, said) = try Self.material("{fileID: 4800000, guid: \(shader), type: 3}")
    #expect(unknown.render.blend.mode == .alpha)
    #expect(said.contains { $0.rule == .assumed && $0.found?.contains(shader) ?? false })
  }

  @Test(
    "a material that is not found is a missing picture with the next step; the standard one is Unity's own dot"
  )
  func missing() throws {
    let renderer = "  m_Materials:\n  - {fileID: 2100000, guid: \(Self.guid), type: 2}"
    let imported = try UnityTests.read("  lengthInSec: 1", renderer: renderer)
    let finding = try #require(imported.diagnostics.first { $0.rule == .missingImage })
    #expect(finding.hint?.contains("--project") ?? false)
    #expect(imported.system.emitters[0].sprites.count == 1)
    let standard = try UnityTests.read("  lengthInSec: 1")
    #expect(!standard.diagnostics.contains { $0.rule == .missingImage })
    #expect(standard.system.images.map(\.name) == ["Default-Particle.png"])
  }

  // MARK: Text

  @Test(
    "values of YAML: quotes, escapes, continued lines, lists without indentation, CRLF, flow maps over lines"
  )
  func yaml() throws {
    let text = """
      plain: a b
        c
      single: 'it''s: {x}'
      double: "\\u00e4\\n\\"q\\" \\
        on"
      empty:
      list:
      - 1
      -   x: 2
          y: 3
      - [a, {b: c}]
      map: {one: 1,
        two: {three: 3}}
      block: |
        x
        y
      last: 1

      """
    for ends in ["\n", "\r\n"] {
      let bytes = Array(text.replacingOccurrences(of: "\n", with: ends).utf8)
      var yaml = UnityYAML(bytes, 0..<bytes.count, limits: .standard)
      let value = try yaml.value()
      #expect(value["plain"]?.string == "a b c")
      #expect(value["single"]?.string == "it's: {x}")
      #expect(value["double"]?.string == "ä\n\"q\" on")
      #expect(value["empty"]?.string == "")
      #expect(value["list"]?.array?.count == 3)
      #expect(value["list"]?.array?[1]["y"]?.string == "3")
      #expect(value["list"]?.array?[2].array?[1]["b"]?.string == "c")
      #expect(value["map"]?["two"]?["three"]?.string == "3")
      #expect(value["block"]?.string == "x\ny")
      #expect(value["last"]?.string == "1")
    }
  }

  @Test("deep nesting and many values end with the name of a limit")
  func limits() throws {
    func error(_ value: String, _ limits: Limits = .standard) -> Diagnostic? {
      let text = UnityTests.heading + "--- !u!198 &1\nParticleSystem:\n  x: \(value)\n"
      var context = DecodingContext(fileName: "a.prefab")
      context.limits = limits
      do {
        _ = try ParticleFormat.unity.decode(Array(text.utf8), context)
        return nil
      } catch { return error as? Diagnostic }
    }
    #expect(error(String(repeating: "[", count: 100_000))?.rule == .limit)
    #expect(
      error(
        "\n"
          + (0..<3000).map { String(repeating: " ", count: $0 + 4) + "a:" }.joined(separator: "\n"))?
        .rule == .limit)
    var few = Limits.standard
    few.objects = 100
    #expect(error("[" + String(repeating: "1,", count: 200) + "]", few)?.rule == .limit)
    #expect(error("*alias &anchor") == nil)
  }

  @Test("damaged files are read or refused, and messages stay on one line")
  func damage() throws {
    let bytes = try Files.read(UnityTests.path("Sparks.prefab"))
    var random = SeededGenerator(seed: 5)
    for _ in 0..<150 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.removeSubrange(place..<min(place + 40, damaged.count))
        default: damaged.insert(contentsOf: Array("{[&-: \n".utf8), at: place)
        }
      }
      do {
        let imported = try ParticleFormat.unity.decode(
          damaged, DecodingContext(fileName: "a.prefab"))
        #expect(imported.diagnostics.allSatisfy { !"\($0)".contains("\n") })
        #expect(imported.system.diagnostics().allSatisfy { $0.severity != .error })
      } catch let fault as Diagnostic {
        #expect(!"\(fault)".contains("\n"))
      }
    }
  }

  @Test("a file is recognised by an object of the class 198 only")
  func recognition() throws {
    let other = UnityTests.heading + "--- !u!1 &1\nGameObject:\n  m_Name: ParticleSystem !u!198\n"
    #expect(!ParticleFormat.unity.recognise(Array(other.utf8), "a.prefab"))
    #expect(
      ParticleFormat.unity.recognise(Array((other + "--- !u!198 &2\nParticleSystem:\n").utf8), ""))
    #expect(!ParticleFormat.unity.recognise(Array("--- !u!198 &2\n".utf8), "a.prefab"))
  }
}
