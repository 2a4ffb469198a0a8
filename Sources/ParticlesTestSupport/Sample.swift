internal import Foundation

/// The part of a large set of inputs that a slow test runs over: a fixed part in `make test`, and all inputs in
/// `make test-all`, which sets `PARTICLES_ALL=1`. CONTRIBUTING.md lists the sampled tests.
package enum Sample {
  /// Whether tests run over all inputs.
  package static let isWhole = ProcessInfo.processInfo.environment["PARTICLES_ALL"] == "1"

  /// Returns elements at even distances, in their order, the first one and the last one among them.
  /// - Parameter count: The number of elements, unless all are wanted or there are fewer.
  package static func of<Element>(_ elements: [Element], _ count: Int) -> [Element] {
    isWhole ? elements : spread(elements, count)
  }

  /// Returns elements at even distances of each kind, kinds in the order of their first elements. No kind
  /// is without an element.
  /// - Parameters:
  ///   - count: The number of elements of each kind, unless all are wanted or there are fewer.
  ///   - turn: The number of this run among several over these elements, such as the number of a format. Each run uses
  ///     other elements.
  package static func of<Element, Kind: Hashable>(
    _ elements: [Element], _ count: Int, ofEach kind: (Element) -> Kind, turn: Int = 0
  ) -> [Element] {
    isWhole ? elements : spread(elements, count, ofEach: kind, turn: turn)
  }

  /// Samples even when all inputs are wanted, for tests of the sampling itself.
  package static func spread<Element, Kind: Hashable>(
    _ elements: [Element], _ count: Int, ofEach kind: (Element) -> Kind, turn: Int = 0
  ) -> [Element] {
    var kinds: [Kind] = []
    var members: [Kind: [Element]] = [:]
    for element in elements {
      let kind = kind(element)
      if members[kind] == nil { kinds.append(kind) }
      members[kind, default: []].append(element)
    }
    return kinds.flatMap { kind in
      let all = members[kind] ?? []
      return spread(Array(all[(turn % all.count)...] + all[..<(turn % all.count)]), count)
    }
  }

  /// Samples even when all inputs are wanted, for tests of the sampling itself.
  package static func spread<Element>(_ elements: [Element], _ count: Int) -> [Element] {
    guard count < elements.count else { return elements }
    guard count > 1 else { return Array(elements.prefix(count)) }
    return (0..<count).map { elements[$0 * (elements.count - 1) / (count - 1)] }
  }
}
