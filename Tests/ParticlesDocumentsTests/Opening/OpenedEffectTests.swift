import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Opening files of any format") struct OpenedEffectTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("a package opened by its path can be saved", arguments: Container.Form.allCases)
  func saving(form: Container.Form) throws {
    let path = scratch.file("a")
    try #require(EffectTemplate.named("fire")).package().container.write(to: path, as: form)
    var opened = try OpenedEffect(path: path)
    #expect(opened.isPackage)
    var system = try opened.package.system()
    system.seed = 7
    try opened.package.setSystem(system)
    #expect(try opened.package.container.save() != nil)
    #expect(try OpenedEffect(path: path).package.system().seed == 7)
    let imported = try OpenedEffect(path: Repository.path("Fixtures/cocos2d/ember.plist"))
    #expect(!imported.isPackage)
  }

  @Test(
    "a damaged file of a known extension is reported as damaged, not as unknown",
    arguments: [
      ("cocos2d/ember.plist", 100, Rule.xml), ("cocos2d/ember-binary.plist", 900, .plist),
      ("particle-designer/ember.json", 40, .json), ("starling/ember.pex", 30, .xml),
      ("scenekit/ember.particles", 60, .plist),
    ])
  func damaged(fixture: String, size: Int, rule: Rule) throws {
    let bytes = try Files.read(Repository.path("Fixtures/\(fixture)"))
    let name = Files.lastComponent(of: fixture)
    expectThrows(rule) { try OpenedEffect(bytes: Array(bytes.prefix(size)), name: name) }
    do {
      _ = try OpenedEffect(bytes: [], name: name)
      Issue.record("\(name) was opened")
    } catch let diagnostic as Diagnostic {
      #expect(diagnostic.rule == .foreign || diagnostic.rule == .signature)
      #expect(diagnostic.description.contains("empty") || diagnostic.rule == .signature)
    }
  }

  @Test("the beginning of a package is damage of a package; other files stay unknown")
  func unknown() throws {
    let package = try #require(EffectTemplate.named("fire")).package().container.encoded()
    for size in [6, 12, 600] {
      do {
        _ = try OpenedEffect(bytes: Array(package.prefix(size)), name: "a.particles")
        Issue.record("\(size) bytes were opened")
      } catch let diagnostic as Diagnostic {
        #expect(diagnostic.rule.family == "container", "\(size): \(diagnostic)")
      }
    }
    let info =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>"
    expectThrows(.foreign) { try OpenedEffect(bytes: Array(info.utf8), name: "Info.plist") }
    expectThrows(.unknownFormat) { try OpenedEffect(bytes: Array("hello".utf8), name: "a.txt") }
    let starling = try #require(FormatRegistry.standard["starling"])
    do {
      _ = try OpenedEffect(bytes: [], name: "-", as: starling)
    } catch let diagnostic as Diagnostic {
      #expect(diagnostic.rule == .xml && diagnostic.location.position == .offset(0))
    }
  }

  @Test("checking bytes in memory reads no file, unless a finder for images is given")
  func memory() throws {
    let source = try Files.read(Repository.path("Fixtures/cocos2d/ember.plist"))
    let name = scratch.file("ember.plist")
    let text = String(decoding: source, as: UTF8.self)
    let start = try #require(text.firstRange(of: "<key>textureImageData</key>"))
    let end = try #require(text[start.upperBound...].firstRange(of: "</string>"))
    let bare = Array((text[..<start.lowerBound] + text[end.upperBound...]).utf8)
    try Files.create(
      scratch.file("ember.png"), Files.read(Repository.path("Fixtures/scenekit/ember.png")))
    func isMissing(_ report: Diagnostic.Report.File) -> Bool {
      report.diagnostics.contains { $0.rule == .missingImage }
    }
    let validator = Validator(imageFolders: [scratch.path])
    #expect(isMissing(try validator.check(bare, named: name)))
    let finder = ImageFinder(besides: name)
    #expect(!isMissing(try validator.check(bare, named: name, images: finder)))
  }
}
