import ParticlesTestSupport
import Testing

/// The law of the two halves: a pure module knows bytes and values only, so that it compiles for web pages, too. Files named
/// `Platform….swift` have what differs between native code and pages.
@Suite("Pure modules")
struct PurityTests {
  /// What a pure module may not have.
  enum Impurity: String, CaseIterable {
    case systemImport = "imports of the system half, of the platform and of foreign C libraries"
    case existential = "existential values"
    case keyPath = "key paths"
    case cast = "casts"
    case untypedError = "untyped errors"
    case task = "tasks, actors and task-local values"
    case weak = "weak references"

    /// The words of which a line with this impurity has one.
    private var words: [String] {
      switch self {
      case .systemImport: ["import "]
      case .existential: ["any "]
      case .keyPath: ["\\."]
      case .cast: ["as? ", "as! "]
      case .untypedError: ["throws"]
      case .task: ["Task", "async", "await", "actor "]
      case .weak: ["weak "]
      }
    }

    /// Whether a line of code has it.
    func occurs(in text: Substring) -> Bool {
      guard words.contains(where: text.contains) else { return false }
      return switch self {
      case .systemImport:
        text.wholeMatch(of: #/.*\bimport (\w+)/#).map { !Self.isPure(String($0.output.1)) } ?? false
      case .existential: text.firstMatch(of: #/(^|[^`"\w])any [A-Z(]/#) != nil
      case .keyPath: text.firstMatch(of: #/[(,:\[=] ?\\[A-Z]?\w*\.[a-z]/#) != nil
      case .cast: text.firstMatch(of: #/\bas[?!] /#) != nil
      case .untypedError: text.firstMatch(of: #/\)( async)? throws(?!\()|\brethrows\b/#) != nil
      case .task:
        text.firstMatch(of: #/\bTask[.( {]|\bTaskLocal\b|\) async\b|\bawait |\bactor [A-Z]/#) != nil
      case .weak: text.firstMatch(of: #/\bweak (var|let)\b/#) != nil
      }
    }

    /// Whether pure modules may import a module: pure ones, and the C of our own.
    private static func isPure(_ module: String) -> Bool {
      pure.contains(module) || ownC.contains(module)
    }
  }

  /// The pure half.
  static let pure: Set = [
    "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesImages",
    "ParticlesPropertyLists", "ParticlesSimulation", "ParticlesTypes", "ParticlesArchives",
    "ParticlesFormats", "ParticlesRender", "ParticlesEffects",
  ]

  static let ownC: Set = [
    "CParticlesCompression", "CParticlesUnicode", "CParticlesDigest", "CParticlesKernels",
    "CParticlesInterface",
  ]

  /// The pure half, and the interface for C, whose folder System is left out for pages.
  static let kept = pure.sorted() + ["ParticlesC"]

  /// The code of a module, without the files about platforms.
  private static func code(of module: String) throws -> [(place: String, text: Substring)] {
    try SourceFile.all().filter {
      $0.module == module && !$0.name.hasPrefix("Platform")
        && !$0.path.contains("/ParticlesC/System/")
    }
    .flatMap { file in file.code.map { ("\(file.path):\($0.number)", $0.text) } }
  }

  @Test("a pure module keeps the law", arguments: kept)
  func law(module: String) throws {
    let code = try Self.code(of: module)
    #expect(!code.isEmpty)
    for (place, text) in code {
      for impurity in Impurity.allCases where impurity.occurs(in: text) {
        Issue.record("\(place): pure modules have no \(impurity.rawValue)")
      }
    }
  }

  @Test("a module has one file about platforms, of at most 150 lines")
  func platforms() throws {
    for module in Self.kept {
      let files = try SourceFile.all().filter {
        $0.module == module && $0.name.hasPrefix("Platform")
      }
      #expect(files.count <= 1, "\(files.map(\.path))")
      for file in files { #expect(file.lines.count <= 151, "\(file.path)") }
    }
  }

  @Test("each impurity is found in its spellings, and not elsewhere")
  func spellings() {
    let examples: [(Substring, Impurity?)] = [
      ("internal import ParticlesSystem", .systemImport),
      ("  internal import CParticlesZlib", .systemImport),
      ("import Synchronization", .systemImport), ("package import ParticlesCore", nil),
      ("internal import CParticlesCompression", nil), ("  var error: any Error", .existential),
      ("\"any File\"", nil), ("// any other", nil), ("  names.map(\\.name)", .keyPath),
      ("  \"\\(name).pex\"", nil), ("  if let loss = fault as? Loss {", .cast),
      ("  let count = Double(a) as Double", nil), ("  func read() throws -> Int {", .untypedError),
      ("  func read() throws(Diagnostic) -> Int {", nil),
      ("  ) rethrows -> Result {", .untypedError), ("  try Task.checkCancellation()", .task),
      ("  func read() async -> Int {", .task), ("  weak var owner: Owner?", .weak),
    ]
    for (text, expected) in examples where !text.hasPrefix("//") {
      #expect(
        Impurity.allCases.filter { $0.occurs(in: text) } == (expected.map { [$0] } ?? []), "\(text)"
      )
    }
  }
}
