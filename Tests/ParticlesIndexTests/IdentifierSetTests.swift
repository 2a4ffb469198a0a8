import ParticlesCore
import Testing

@testable import ParticlesIndex

@Suite("Sets of documents")
struct IdentifierSetTests {
  private func set(_ numbers: [Int]) throws -> IdentifierSet {
    var set = IdentifierSet()
    for number in numbers { try set.insert(number, at: "index") }
    return set
  }

  private func numbers(_ set: IdentifierSet) -> [Int] {
    var numbers: [Int] = []
    set.forEach { numbers.append($0) }
    return numbers
  }

  @Test("operations are those of sets of numbers")
  func operations() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let a = Set((0..<40).map { _ in Int.random(in: 0..<9_000, using: &random) })
      let b = Set((0..<40).map { _ in Int.random(in: 0..<300, using: &random) })
      for (x, y) in [(a, b), (b, a)] {
        var union = try set(Array(x))
        union.formUnion(try set(Array(y)))
        #expect(numbers(union) == x.union(y).sorted())
        var common = try set(Array(x))
        common.formIntersection(try set(Array(y)))
        #expect(numbers(common) == x.intersection(y).sorted())
        #expect(common.count == x.intersection(y).count)
        var rest = try set(Array(x))
        rest.subtract(try set(Array(y)))
        #expect(numbers(rest) == x.subtracting(y).sorted())
        #expect(x.allSatisfy(union.contains) && !union.contains(9_001) && !union.contains(-1))
      }
    }
  }

  @Test("a number that a database made up takes no memory")
  func limits() {
    for number in [-1, IdentifierSet.most, Int.max] {
      #expect { try set([number]) } throws: { ($0 as? Diagnostic)?.rule == .indexDamaged }
    }
  }
}
