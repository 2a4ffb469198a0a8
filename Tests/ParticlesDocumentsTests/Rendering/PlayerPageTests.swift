import ParticlesCore
import ParticlesDocuments
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
    #expect(text.contains(">AQID</script>") && text.contains("\"18446744073709551615\""))
    for name in ["title", "style", "script", "module", "effect", "settings"] {
      #expect(!text.contains("{{\(name)"), "\(name)")
    }
    #expect(!text.contains("src=\"http"))
    // The hash of the policy is that of the script between the tags.
    let start = try #require(text.range(of: "<script type=\"module\">")).upperBound
    let end = try #require(text.range(of: "</script>", in: start)).lowerBound
    let digest = SHA256.digest(Array(text[start..<end].utf8)).bytes.base64
    #expect(text.contains("'sha256-\(digest)'"))
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
