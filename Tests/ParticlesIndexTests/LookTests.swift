import ParticlesCore
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects
@testable import ParticlesIndex

/// The index computes the vectors of the stage `similar` of `particlekit.ray`, whose source is read here.
@Suite("Looks")
struct LookTests {
  /// Runs `vector` of the Python package with the statistics that the tool prints, without the library.
  private static let script = """
    import importlib.util, json, sys, types
    module = types.ModuleType("particlekit")
    module.Effect = object
    sys.modules["particlekit"] = module
    spec = importlib.util.spec_from_file_location("vector", sys.argv[1])
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)

    class Effect:
        def __init__(self, document, statistics): self.document, self.numbers = document, statistics
        def get(self, key): return self.document.get(key)
        def statistics(self, frames, seeds):
            assert (frames, seeds) == (120, 1)
            return self.numbers

    for document, statistics in json.load(sys.stdin):
        print(*loaded.vector(Effect(document, statistics)))
    """

  @Test("vectors are those of the Python package", .needs("python3"))
  func python() throws {
    let names = [
      "effects/pex/torch.pex", "effects/pex/galaxy.pex", "effects/sks/snow.sks",
      "effects/plist/fire.plist", "cocos2d/ember.plist",
    ].filter { (try? Files.status(Fixture.path($0))) ?? nil != nil }
    #expect(names.count > 2)
    var vectors: [[Double]] = []
    var inputs: [JSONValue] = []
    for name in names {
      let package = try OpenedEffect(path: Fixture.path(name)).package
      let system = try package.system()
      let plan = SimilarityVector.plan
      let statistics = try ParticleStatistics(of: system, plan: plan)
      vectors.append(SimilarityVector(statistics, of: system).numbers)
      let origin = ParticleStatistics.Origin(file: name, version: "1")
      inputs.append(
        .array([
          try JSONParser.parse(package.document()),
          statistics.json(origin, plan: plan, profile: system.asset.profile),
        ]))
    }
    let script = Repository.path("Sources/Python/particlekit/ray/_vector.py")
    let python = try #require(Run.find("python3"))
    let run = try Run(
      python, ["-c", Self.script, script], input: Array(JSONValue.array(inputs).text.utf8))
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n").map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    #expect(lines.count == vectors.count)
    for (line, vector) in zip(lines, vectors) {
      #expect(line.count == SimilarityVector.count && vector.count == SimilarityVector.count)
      #expect(line == vector)
    }
  }

  @Test("an effect is nearer to itself with another name than to another effect")
  func distance() throws {
    func vector(_ name: String) throws -> [Float] {
      let system = try OpenedEffect(path: Fixture.path("effects/pex/\(name).pex")).package.system()
      return try SimilarityVector(running: system).numbers.map { Float($0) }
    }
    let (torch, galaxy) = (try vector("torch"), try vector("galaxy"))
    func square(_ other: [Float], within most: Float) -> Float? {
      torch.withUnsafeBytes { IndexedLook.square($0, other, within: most) }
    }
    #expect(square(torch, within: 1) == 0 && square(Array(torch.dropLast()), within: 1) == nil)
    let distance = try #require(square(galaxy, within: .infinity))
    #expect(distance > 0.25 && square(galaxy, within: distance / 2) == nil)
  }
}

/// Facts of real documents.
@Suite("Facts of documents")
struct FactTests {
  @Test("properties have the keys of the table, without indices")
  func properties() throws {
    let path = Fixture.path("effects/pex/torch.pex")
    let document = DocumentSet.Document(path: path, subfolder: "", isFound: true)
    let facts = try #require(DocumentFacts(document, Validator()))
    #expect(facts.format == "starling" && facts.emitters == ["torch"])
    #expect(facts.textures == ["Images/ember.png"] && facts.digest?.utf8.count == 64)
    #expect(facts.numbers["launch.speed"] == [85, 135] && facts.numbers["alive"] == [180])
    #expect(facts.words["shape.type"] == ["rect"] && facts.words["blend"] == ["add"])
    #expect(facts.words["origin"] == ["starling"] && facts.numbers["errors"] == [0])
    #expect(facts.numbers.keys.allSatisfy { !$0.contains("[") && !$0.hasPrefix("extensions") })
    #expect(
      StatedProperties.keys.contains("images.width")
        && StatedProperties.keys.contains("emission.rate"))
  }

  @Test(
    "every effect of the project and a sample of others is a row, and each reads the same again")
  func corpus() throws {
    let paths =
      Corpus.sample("pex", "pex") + Corpus.sample("sks", "sks") + Corpus.sample("plist", "plist")
      + Corpus.sample("scnp", "scnp")
    for path in paths {
      let document = DocumentSet.Document(path: path, subfolder: "", isFound: true)
      guard let facts = DocumentFacts(document, Validator()) else { continue }
      let again = DocumentFacts(document, Validator())
      #expect(facts.format != nil || !facts.problems.isEmpty, "\(path)")
      #expect(facts.numbers == again?.numbers && facts.words == again?.words, "\(path)")
      let errors = Double(try Validator().check(path).diagnostics.count { $0.severity == .error })
      #expect(facts.numbers["errors"] == [errors], "\(path)")
    }
    #expect(paths.count >= 12)
  }
}
