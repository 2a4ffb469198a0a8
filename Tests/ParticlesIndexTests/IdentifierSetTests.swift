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

  @Test("a set may be all numbers but some")
  func complements() throws {
    var random = SystemRandomNumberGenerator()
    let all = Set(0..<700)
    for round in 0..<64 {
      let numbers = (0..<2).map { _ in
        Set((0..<200).map { _ in Int.random(in: 0..<640, using: &random) })
      }
      var sets = try numbers.map { try set(Array($0)) }
      var models = numbers
      for place in 0..<2 where round >> place & 1 == 1 {
        sets[place].invert()
        models[place] = all.subtracting(models[place])
      }
      let (x, y) = (models[0], models[1])
      for (operation, expected) in [
        (0, x.union(y)), (1, x.intersection(y)), (2, x.subtracting(y)),
      ] {
        var result = sets[0]
        switch operation {
        case 0: result.formUnion(sets[1])
        case 1: result.formIntersection(sets[1])
        default: result.subtract(sets[1])
        }
        #expect(all.filter(result.contains) == expected, "\(operation) \(round & 3)")
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
