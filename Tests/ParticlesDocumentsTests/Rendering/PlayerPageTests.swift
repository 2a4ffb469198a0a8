import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Pages that simulate an effect")
struct PlayerPageTests {
  /// The player of the repository, with bytes that are no module.
  private func player() throws -> PlayerFiles {
    let folder = Repository.path("Sources/ParticlesWeb/Player")
    var files: [String: [UInt8]] = [:]
    for name in try Files.list(folder) { files[name] = try Files.read(Files.joined(folder, name)) }
    return PlayerFiles(files: files, module: [1, 2, 3])
  }

  @Test("a page has everything in it, allows nothing outside, and its texts are escaped")
  func page() throws {
    let package = try EffectTemplate.fire.package()
    var page = try PlayerPage(package, title: "<fire> & \"smoke\"")
    page.seed = .max
    let text = String(decoding: try page.bytes(player()), as: UTF8.self)
    #expect(text.contains("<title>&lt;fire&gt; &amp; &quot;smoke&quot;</title>"))
    #expect(text.contains("default-src 'none'") && text.contains("'wasm-unsafe-eval'"))
    #expect(
      text.contains(">\(([1, 2, 3] as [UInt8]).base85)</script>")
        && text.contains("\"18446744073709551615\""))
    for name in ["title", "style", "script", "module", "effect", "settings"] {
      #expect(!text.contains("{{\(name)"), "\(name)")
    }
    #expect(!text.contains("src=\"http"))
    // The policy has the hash of the script between the tags.
    let start = try #require(text.range(of: "<script id=\"player\">")).upperBound
    let end = try #require(text.range(of: "</script>", in: start)).lowerBound
    let digest = SHA256.digest(Array(text[start..<end].utf8)).bytes.base64
    #expect(text.contains("'sha256-\(digest)'"))
    // Comments and the lines that load other files are of no use in the script that it unpacks.
    let script = try unpacked(String(text[start..<end]))
    #expect(text.contains("'sha256-\(SHA256.digest(Array(script.utf8)).bytes.base64)'"))
    #expect(!script.contains("\n//") && !script.contains("/**") && !script.contains("\nimport "))
    #expect(text.contains("worker-src blob:") && script.contains("\nclass RunningEffect"))
  }

  /// The script that a loader has in it.
  private func unpacked(_ loader: String) throws -> String {
    let start = try #require(loader.firstRange(of: "atob(\"")).upperBound
    let text = String(loader[start...].prefix { $0 != "\"" })
    let packed = try [UInt8](base64: text, rule: .fileUnreadable)
    return String(
      decoding: try Zlib.inflate(packed, limit: 1 << 20, rule: .fileUnreadable), as: UTF8.self)
  }

  @Test("the script of a catalogue starts it, and the folder has what a page of one's own needs")
  func others() throws {
    let player = try player()
    let script = try unpacked(player.catalog().script.loader)
    #expect(script.contains("class CatalogPlayer") && !script.contains("function startPage"))
    var built = player
    built.module = Deflate(level: 1).gzip([1, 2, 3])
    let names = try PlayerFolder(built).files(example: EffectTemplate.fire.package()).keys
    #expect(names.contains("worker.js") && names.contains("element.js"))
    #expect(!names.contains("catalog.js") && !names.contains("loader.js"))
    #expect(!names.contains { $0.hasPrefix("page.") })
  }

  @Test("without the module, pages and folders are refused")
  func missing() throws {
    var player = try player()
    player.module = nil
    let package = try EffectTemplate.fire.package()
    #expect {
      try PlayerPage(package, title: "").bytes(player)
    } throws: {
      Rule.fileNotFound ~= $0
    }
    #expect {
      try PlayerFolder(player).files(example: package)
    } throws: {
      Rule.fileNotFound ~= $0
    }
  }
}

extension String {
  fileprivate func range(of text: String, in start: Index? = nil) -> Range<Index>? {
    self[(start ?? startIndex)...].firstRange(of: text)
  }
}
