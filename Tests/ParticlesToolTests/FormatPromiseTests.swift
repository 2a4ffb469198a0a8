import Particles
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

/// Everything that a format of the registry needs beside its code, in one list, so that a new format is asked for it once.
@Suite("What a format needs")
struct FormatPromiseTests {
  private struct Pages {
    let readme: String
    let conversions: String
    /// The names of the pages of conversions.
    let names: Set<String>
    /// Files of the project by name.
    let files: [(name: String, bytes: [UInt8])]

    init() throws {
      func text(_ path: String) throws -> String {
        String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
      }
      func files(under folder: String) throws -> [(String, [UInt8])] {
        try Files.list(Repository.path(folder)).flatMap { name in
          let path = Repository.path("\(folder)/\(name)")
          return try Files.status(path)?.kind == .directory
            ? try files(under: "\(folder)/\(name)") : [(name, try Files.read(path))]
        }
      }
      readme = try text("README.md")
      names = Set(try Files.list(Repository.path("Spec/conversion")))
      conversions = try names.map { try text("Spec/conversion/\($0)") }.joined()
      self.files = try files(under: "Fixtures")
    }
  }

  /// What a format lacks, each with the place where it is added.
  private static func missing(of format: ParticleFormat, _ pages: Pages) -> [String] {
    var missing: [String] = []
    func need(_ isThere: Bool, _ what: String) { if !isThere { missing.append(what) } }
    guard !format.isArchive else { return [] }
    let table = format.table?()
    // Starling reads the keys of cocos2d, so that its page has no table of its own.
    let isDescribed =
      pages.names.contains("\(format.name).md")
      || pages.conversions.contains(table?.markdown ?? "no table")
    need(
      isDescribed && table?.keys.isEmpty == false,
      "a page in Spec/conversion with its mapping table, between the marks of MappingTests")
    need(!format.evidence.isEmpty, "the law of its engine with sources, in EngineLawEvidence.swift")
    guard format.canRead else { return missing }
    let registry = FormatRegistry.standard.types
    let types = format.extensions.map { UniformType(filenameExtension: $0, in: registry) }
    need(
      types.allSatisfy { $0?.isDeclared == true } && format.types.count == 1,
      "a declared type for each extension, in FormatTypes.swift")
    need(
      pages.readme.contains(".\(format.extensions[0])`"), "its extension in README, section Formats"
    )
    need(
      pages.files.contains { format.recognise($0.bytes, $0.name) },
      "a file of its own below Fixtures/\(format.name)")
    return missing
  }

  @Test("each format of the registry has all of it")
  func complete() throws {
    let pages = try Pages()
    let missing = FormatRegistry.standard.formats.flatMap { format in
      Self.missing(of: format, pages).map { "\(format.name) needs \($0)" }
    }
    #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }

  @Test("a format that has nothing but its code is asked for all of it at once")
  func new() throws {
    let format = ParticleFormat(
      name: "geyser", title: "Geyser effect", extensions: ["geyser"],
      recognise: { _, name in name.hasSuffix(".geyser") },
      decode: { _, _ in throw Diagnostic(.foreign) })
    #expect(Self.missing(of: format, try Pages()).count == 5)
  }
}
