internal import ParticlesCore

/// The values that a document states, by the keys of the table of properties, without the indices of elements, and
/// without `emitters.`: `emission.rate`, `images.width`.
package struct StatedProperties {
  /// The keys that a document can state, in the order of the table.
  package static let keys: [String] = {
    var seen: Set<String> = []
    return SettableKey.all().map { plain($0.key) }.filter { seen.insert($0).inserted }
  }()

  private static let known = Set(keys)

  /// With more values, a key has the least and the greatest one.
  private static let mostValues = 8
  /// The most bytes of a word; longer texts are no words.
  private static let longestWord = 64

  private(set) var numbers: [String: [Double]] = [:]
  private(set) var words: [String: [String]] = [:]

  private static func plain(_ key: String) -> String {
    let key = key.filter { $0 != "[" && $0 != "]" }
    return key.hasPrefix("emitters.") ? String(key.dropFirst(9)) : key
  }

  mutating func read(_ document: JSONValue) {
    for member in document.object?.members ?? [] {
      read(member.value, member.key, within: nil)
    }
    for (key, values) in numbers {
      let sorted = Set(values).sorted()
      numbers[key] =
        sorted.count <= Self.mostValues ? sorted : [sorted[0], sorted[sorted.count - 1]]
    }
    for (key, values) in words {
      words[key] = Array(Set(values).sorted().prefix(Self.mostValues))
    }
  }

  /// - Parameter known: the key that the value is a part of; nil if it is a part of none.
  private mutating func read(_ value: JSONValue, _ key: String, within known: String?) {
    let plain = key.hasPrefix("emitters.") ? String(key.dropFirst(9)) : key
    let known = Self.known.contains(plain) ? plain : known
    switch value {
    case .object(let object):
      for member in object.members { read(member.value, "\(key).\(member.key)", within: known) }
    case .array(let elements):
      for element in elements { read(element, key, within: known) }
    case .string(let text):
      if let known, text.utf8.count <= Self.longestWord { words[known, default: []].append(text) }
    case .bool(let isTrue):
      if let known { words[known, default: []].append(isTrue ? "true" : "false") }
    case .null: break
    default:
      if let known, let number = value.double, number.isFinite {
        numbers[known, default: []].append(number)
      }
    }
  }
}
