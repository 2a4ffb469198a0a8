import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The initialisers of the standard library that make an integer of a floating-point number end the program where the number
/// is beyond the range. Numbers come from files, so that no module uses these initialisers: `init(saturating:)` of Core does not trap.
@Suite("Floating point becomes an integer")
struct ConversionTests {
  /// The objects of a target, as the build of the tests has made them.
  private static func objects(of target: String) throws -> [String] {
    try Files.list(Run.built("\(target).build")).filter { $0.hasSuffix(".o") }
      .map { Run.built("\(target).build/\($0)") }
  }

  /// Whether an object has a part of the message that the check prints.
  private static func hasCheck(_ path: String) throws -> Bool {
    try Files.read(path).contains("value cannot be converted to")
  }

  /// A use of such an initialiser, for ``isFound()``.
  static func trapping(_ number: Double) -> Int { Int(number) }

  @Test("the check is found where it is")
  func isFound() throws {
    #expect(Self.trapping(2.5) == 2)
    let objects = try Self.objects(of: "ArchitectureTests")
    let own = try #require(
      objects.first { $0.hasSuffix("/ConversionTests.swift.o") }, "no object of this file")
    #expect(try Self.hasCheck(own))
  }

  @Test("no object of a module has the check of the compiler")
  func objects() throws {
    let targets = Set(
      try SourceFile.all().filter { $0.path.hasPrefix("Sources/Particles") }.map(\.module))
    #expect(targets.count > 20)
    for target in targets.sorted() {
      let objects = try Self.objects(of: target)
      #expect(!objects.isEmpty, "no objects of \(target)")
      for object in objects where try Self.hasCheck(object) {
        Issue.record(
          "\(object) makes an integer of a number that may be beyond its range: use init(saturating:)"
        )
      }
    }
  }
}
