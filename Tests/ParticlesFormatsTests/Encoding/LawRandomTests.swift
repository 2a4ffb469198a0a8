import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// The law of conversions over documents that nobody would make.
@Suite struct LawRandomTests {
  static let targets = FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canWrite }.map(
    \.name)

  /// Documents with one property at a time, and with each object as a whole, by the path.
  static let properties: [(path: String, system: ParticleSystem)] = {
    var documents: [(path: String, system: ParticleSystem)] = []
    var random = RandomDocuments(seed: 5)
    let tables = Dictionary(
      uniqueKeysWithValues: PropertyCatalog().objects.map { ($0.title, $0.properties) })
    for part in tables["Emitter"] ?? [] {
      let inner = part.objects.count == 1 ? tables[part.objects[0].title] ?? [] : []
      let isWhole = inner.isEmpty || part.type.hasPrefix("array")
      for property in isWhole ? [part] : inner + [part] {
        for _ in 0..<(property.key == part.key ? 24 : 4) {
          guard let value = random.value(property.type, property, depth: 1),
            !Self.isOdd(value.text)
          else { continue }
          let path = property.key == part.key ? part.key : "\(part.key).\(property.key)"
          let member: JSONValue =
            property.key == part.key
            ? value : .object(JSONObject(members: [(property.key, value)]))
          var emitter = JSONObject(members: [("emission", ["rate": .int(10)]), (part.key, member)])
          if part.key == "emission" { emitter = JSONObject(members: [(part.key, member)]) }
          let document: JSONValue = [
            "asset": ["version": "1.0"], "emitters": .array([.object(emitter)]),
            "roots": .array([.int(0)]),
          ]
          guard var system = try? ParticleSystem(json: document),
            !system.diagnostics().contains(where: { $0.severity == .error })
          else { continue }
          // Numbers that only give a warning come back within their bounds.
          _ = system.mend()
          documents.append((path, system))
        }
      }
    }
    return documents
  }()

  /// An encoder that keeps silent about a property is found by its name, and a matrix that knows better.
  @Test(arguments: targets) func everyPropertyOfAnEmitterHasALineOrComesBack(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    var (silent, untrue): (Set<String>, Set<String>) = ([], [])
    let turn = try #require(Self.targets.firstIndex(of: name))
    let documents = Sample.of(Self.properties, 1, ofEach: \.path, turn: turn)
    #expect(Self.properties.count > 300 && documents.count > 50)
    for (path, system) in documents {
      let exported = try format.export(
        system, EncodingContext(fileName: "a.\(format.extensions[0])"))
      for line in exported.losses where line.rule == .changed {
        silent.insert("\(path): \(line)")
      }
      untrue.formUnion(exported.losses.filter { Self.denies($0, format) }.map(\.description))
    }
    #expect(silent.isEmpty, "\(silent.sorted().joined(separator: "\n"))")
    #expect(untrue.isEmpty, "\(untrue.sorted().joined(separator: "\n"))")
  }

  /// Whether a line of the report contradicts the matrix: it reports an exact property as lost, or
  /// a rest of a lost property.
  private static func denies(_ line: Diagnostic, _ format: ParticleFormat) -> Bool {
    guard let row = Capability.all.first(where: { $0.id == line.loss?.feature }),
      let support = format.capabilities?[row]
    else { return false }
    return switch line.rule {
    case .lost: support == .exact
    case .approximated, .clamped: support == .lost
    default: false
    }
  }

  /// Numbers so small that a division leaves only rounding, and data of other programs in the midst
  /// of a value.
  private static func isOdd(_ text: String) -> Bool {
    ["e-", "0.000", "extras", "extensions", "x-"].contains { text.contains($0) }
  }

  static let documents = (0..<60).compactMap { seed in
    var random = RandomDocuments(seed: UInt64(seed))
    return try? ParticleSystem(json: random.document())
  }

  /// All at once: a document with any contents is written, and the written file can be read.
  @Test(arguments: targets) func anyDocumentIsWrittenOrRefused(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    for system in Self.documents {
      do {
        let exported = try format.export(
          system, EncodingContext(fileName: "a.\(format.extensions[0])"))
        #expect(exported.losses.allSatisfy { !$0.description.contains("\n") })
      } catch let fault as Diagnostic {
        #expect(fault.severity == .error, "\(fault)")
      }
    }
  }
}

extension JSONObject {
  /// An object with these members.
  fileprivate init(members: [(String, JSONValue)]) {
    self.init()
    for (key, value) in members { self[key] = value }
  }
}
