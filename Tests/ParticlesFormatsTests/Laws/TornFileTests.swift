import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Files that were cut off: what the engine needs and does not find is an error, or at least a warning.
@Suite("Torn files") struct TornFileTests {
  /// The findings for a text, with an error among them.
  private static func findings(_ bytes: [UInt8], _ name: String) -> [Diagnostic] {
    do {
      let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
      return try format.decode(bytes, DecodingContext(fileName: name)).diagnostics
    } catch let error as Diagnostic {
      return [error]
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Fixture.read("effects/\(path)"), as: UTF8.self)
  }

  @Test(
    "a file that ends anywhere before its end is not silently valid",
    arguments: [
      "libgdx/torch.p", "libgdx/snow.p", "libgdx/galaxy-1.p", "love/torch.lua", "love/snow.lua",
      "pex/galaxy.pex", "plist/galaxy.plist", "defold/torch.particlefx",
      "pd-json/firework.json", "phaser/torch.json",
    ])
  func cut(path: String) throws {
    let bytes = try Fixture.read("effects/\(path)")
    // White space at the end does not count.
    let end = 1 + (bytes.lastIndex { $0 > 0x20 } ?? 0)
    for percent in stride(from: 5, to: 100, by: 5) {
      let count = end * percent / 100
      let findings = Self.findings(Array(bytes[..<count]), Files.lastComponent(of: path))
      #expect(
        findings.contains { $0.severity > .note && $0.rule != .missingImage },
        "\(path) after \(percent) %: \(findings)")
    }
  }

  @Test("each missing block of libGDX is named, and the place where the file ends")
  func missingBlocks() throws {
    let whole = try Self.text("libgdx/snow.p")
    let headers = whole.matches(of: /(?m)^- .* -/).map(\.range)
    #expect(headers.count == 22)
    for (header, next) in zip(headers.dropFirst(2), headers.dropFirst(3)) {
      let name = whole[header]
      let cut = Array(whole[..<header.lowerBound].utf8)
      let fault = try #require(Self.findings(cut, "snow.p").first)
      #expect(
        fault.rule
          == (name == "- Emission -" || name == "- Count -" ? .emitterRoot : .emitterSyntax))
      guard fault.rule == .emitterSyntax else { continue }
      #expect(
        fault.expected?.hasPrefix("the block '\(name)' of the emitter 'Snow'") == true, "\(fault)")
      #expect(fault.found == "the end of the file" && fault.location.position != nil)
      // The finding does not change without this block alone.
      let without = whole[..<header.lowerBound] + whole[next.lowerBound...]
      let other = Self.findings(Array(without.utf8), "snow.p")
      #expect(other.first?.expected == fault.expected, "\(other)")
    }
  }

  @Test(
    "keys and points that libGDX reads are needed",
    arguments: [
      ("highMax: ", "'highMax:' in the block '- Emission -' of the emitter 'Snow'"),
      (
        "scaling0: ",
        "'scaling0:' in the block '- Emission -' of the emitter 'Snow', because 'scalingCount' is 1"
      ),
      (
        "timeline0: ",
        "'timeline0:' in the block '- Emission -' of the emitter 'Snow', because 'timelineCount' is 1"
      ),
      ("timelineCount: ", "'timelineCount:' in the block '- Emission -' of the emitter 'Snow'"),
      ("behind: ", "'behind:' in the block '- Options -' of the emitter 'Snow'"),
      (
        "colors2: ",
        "'colors2:' in the block '- Tint -' of the emitter 'Snow', because 'colorsCount' is 3"
      ),
    ])
  func missingKeys(key: String, expected: String) throws {
    var lines = try Self.text("libgdx/snow.p").split(
      separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(lines.firstIndex { $0.hasPrefix(key) })
    lines.remove(at: place)
    let fault = try #require(
      Self.findings(Array(lines.joined(separator: "\n").utf8), "snow.p").first)
    #expect(fault.rule == .emitterSyntax && fault.expected == expected, "\(fault)")
  }

  @Test("a line that is cut off is the end of the file")
  func cutLine() throws {
    let text = try Self.text("libgdx/snow.p")
    let end = try #require(text.firstRange(of: "scalingCount")?.lowerBound)
    let fault = try #require(Self.findings(Array((text[..<end] + "scal").utf8), "snow.p").first)
    #expect(fault.found == "the end of the file", "\(fault)")
    #expect(fault.expected?.hasPrefix("'scalingCount:' in") == true)
  }

  @Test("an emitter of libGDX without an image, and one that is a name alone")
  func images() throws {
    let text = try Self.text("libgdx/snow.p")
    let header = try #require(text.firstRange(of: /- Image Paths? -/)?.upperBound)
    let missing = Self.findings(Array(text[..<header].utf8), "snow.p")
    #expect(missing.contains { $0.rule == .emitterMissing && $0.detail == "the name of an image" })
    let second = Self.findings(Array((text + "\n\nSecond\n").utf8), "snow.p")
    #expect(second.first?.expected == "the block '- Delay -' of the emitter 'Second'", "\(second)")
  }

  @Test(
    "Lua code whose end is missing is refused at what is open",
    arguments: [
      ("ps:setSpeed(1, 2", "the end of an expression"), ("ps:setSpee", "a call or '='"),
      ("ps:", "a call or '='"),
      ("table.insert(all, {system=ps", "the end of an expression"),
      ("if a then ps:start()", "the end of 'if'"),
      ("for i = 1, 2 do", "the end of 'do'"), ("print(1 +", "the end of '('"),
      ("local b =", "the rest of a statement"), ("return", nil),
      ("x = 1 ..", "the rest of a statement"),
      ("function f()\n  return 1", "the end of 'function'"),
      ("repeat x = 1", "the end of 'repeat'"),
      ("x = function() return {1, 2} end", nil), ("a = t[1].b:c{1}:d'e'", nil),
      ("::here:: goto here", nil),
      ("while a do b() end", nil), ("t.a.b = [[x]] -- end", nil), ("local a, b = ...", nil),
    ])
  func lua(code: String, expected: String?) throws {
    let text = "ps = love.graphics.newParticleSystem(image, 100)\nps:setSpeed(10)\n\(code)"
    let fault = Self.findings(Array(text.utf8), "a.lua").first { $0.severity == .error }
    #expect(fault?.expected == expected, "\(fault.map { "\($0)" } ?? "none")")
    guard expected != nil else { return }
    #expect(fault?.rule == .emitterSyntax && fault?.location.position != nil)
  }

  @Test(
    "local systems that no program sees are reported",
    arguments: [
      ("", true), ("return ps", false), ("return p", true),
      ("local t = {}\ntable.insert(t, {system=ps})", true),
      ("local t = {}\ntable.insert(t, {system=ps})\nreturn t", false), ("register(ps)", false),
      ("function f() end", false), ("all = {}", false), ("local all", true), ("return {ps}", false),
    ])
  func unseen(code: String, isReported: Bool) throws {
    let text = "local ps = love.graphics.newParticleSystem(image, 100)\nps:setSpeed(10)\n\(code)"
    let findings = Self.findings(Array(text.utf8), "a.lua")
    #expect(findings.contains { $0.rule == .emitterMissing } == isReported, "\(findings)")
    #expect(findings.allSatisfy { $0.severity < .error })
  }

  // MARK: Keys of the cocos2d family

  /// A file of the family without a key, in each syntax.
  private static func without(_ key: String) throws -> [(name: String, bytes: [UInt8])] {
    func removing(_ pattern: String, from bytes: [UInt8]) throws -> [UInt8] {
      let text = String(decoding: bytes, as: UTF8.self)
      let new = text.replacing(try Regex(pattern), with: "")
      #expect(new != text, "\(pattern)")
      return Array(new.utf8)
    }
    return [
      ("a.pex", try removing("(?i)<\(key) value=\"[^\"]*\"/>", from: CocosForge.starling())),
      (
        "a.plist",
        try removing(
          "<key>\(key)</key>\\s*<integer>[^<]*</integer>", from: CocosForge.propertyList())
      ),
      (
        "a.json",
        try removing("\"\(key)\": [^,]*,", from: CocosForge.json([("startParticleSize", "9")]))
      ),
    ]
  }

  @Test("without a duration the cocos2d family is endless, which is noted")
  func endless() throws {
    for (name, bytes) in try Self.without("duration") {
      let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
      let imported = try format.decode(bytes, DecodingContext(fileName: name))
      #expect(imported.system.emitters[0].timing.duration == nil, "\(name)")
      #expect(imported.diagnostics.map(\.rule) == [.assumed], "\(name): \(imported.diagnostics)")
      #expect(imported.diagnostics.first?.location == .key("duration"))
    }
  }

  @Test(
    "without a lifespan, or a number of particles, the family has a warning",
    arguments: [
      ("particleLifespan", "0.01 s|all particles"), ("maxParticles", "nothing is emitted"),
    ])
  func missing(key: String, detail: String) throws {
    for (name, bytes) in try Self.without(key) {
      let findings = Self.findings(bytes, name)
      #expect(findings.map(\.rule) == [.emitterMissing], "\(name): \(findings)")
      #expect(findings.first?.severity == .warning && findings.first?.location == .key(key))
      #expect(
        detail.split(separator: "|").contains { findings.first?.detail?.contains($0) == true })
    }
  }
}
