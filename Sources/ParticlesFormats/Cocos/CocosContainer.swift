internal import ParticlesCore

/// What a file says behind a key, whatever it is written in.
enum CocosValue: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case flag(Bool)
  /// Something that no property of the family is, by what it is called.
  case other(String)
}

/// A file of the family, opened: keys with values that keep the types they have there.
protocol CocosContainer: SendableMetatype {
  associatedtype Value: Equatable
  typealias Fields = [(key: CocosKey, value: Value)]

  /// Opens a file.
  init(decoding bytes: [UInt8], limits: Limits) throws

  /// A file without keys.
  init()

  /// Keys and values in the order of the file. Keys differ.
  var fields: Fields { get }

  /// The file with these keys and values instead.
  /// - Parameter changed: the keys whose values are not those that the file had.
  func replacing(_ fields: Fields, changed: [CocosKey]) -> Self

  /// The file.
  var bytes: [UInt8] { get }

  /// What a value says.
  static func read(_ value: Value) -> CocosValue

  /// A value that says this, of the type of another where that can hold it.
  static func write(_ value: CocosValue, like old: Value?) -> Value

  /// A value with its type, as the source bag keeps it.
  static func typed(_ value: Value) -> JSONValue

  /// What this is called in the source bag: `xml`, `bplist`, `json`.
  var encoding: String { get }
}

extension CocosContainer {
  /// Fields of which each key stands once: of keys that mean the same, the one that is spelled right
  /// or, if none is, the first. The others mean nothing to us, and are kept.
  static func unique(_ fields: [(String, Value)]) -> Fields {
    let spellings = Set(CocosFamily.cocos2d.table.keys)
    let exact = Set(fields.map(\.0).filter(spellings.contains).map { CocosKey($0) })
    var seen: Set<CocosKey> = []
    return fields.map { name, value in
      let key = CocosKey(name)
      let isExact = spellings.contains(name)
      if (isExact || !exact.contains(key)) && seen.insert(key).inserted { return (key, value) }
      return (CocosKey(unrelated: name), value)
    }
  }
}

/// The shortest text of a number, as JavaScript would write it. What became no number on the way is
/// 0; the comparison with what was meant tells.
func shortText(_ number: Double) -> String { JSONNumber(number.isFinite ? number : 0).text }
