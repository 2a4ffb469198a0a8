/// A field of queries: a row of the table in `Spec/finding.md`.
package struct QueryField: Sendable {
  /// The comparison of a term of the field.
  enum Kind: Sendable {
    /// Texts that contain the value; columns of the table of texts.
    case text([String])
    /// Words that are the value.
    case word
    /// Numbers in a range.
    case number
    /// Times in a range.
    case time
    /// Digests that begin with the value.
    case digest
    /// Paths that contain the value, or match it.
    case path
    /// Effects that look like one.
    case similar
  }

  /// The name in a query.
  package let name: String
  let kind: Kind
  /// The condition for documents, in a few words.
  package let summary: String
  /// A term.
  package let example: String

  /// All fields, in the order of the help.
  package static let all: [QueryField] = [
    QueryField(
      name: "text", kind: .text(textColumns),
      summary: "file name, name, an emitter or an image contains this", example: "text:smoke"),
    QueryField(
      name: "file", kind: .text(["file"]), summary: "the file name contains this",
      example: "file:boss"),
    QueryField(
      name: "name", kind: .text(["name"]), summary: "the name of the effect contains this",
      example: "name:\"camp fire\""),
    QueryField(
      name: "emitter", kind: .text(["emitters"]), summary: "the name of an emitter contains this",
      example: "emitter:spark"),
    QueryField(
      name: "texture", kind: .text(["textures"]), summary: "the path of an image contains this",
      example: "texture:smoke.png"),
    QueryField(
      name: "path", kind: .path,
      summary: "the absolute path contains this; with * or ?, its end matches",
      example: "path:level1/*.sks"),
    QueryField(
      name: "format", kind: .word, summary: "the format, as 'particles formats' names it",
      example: "format:spritekit"),
    QueryField(
      name: "origin", kind: .word, summary: "the format that the effect was imported from",
      example: "origin:cocos2d"),
    QueryField(
      name: "profile", kind: .word, summary: "the engine whose law it follows",
      example: "profile:starling"),
    QueryField(
      name: "blend", kind: .word, summary: "the blend mode of an emitter", example: "blend:add"),
    QueryField(
      name: "shape", kind: .word, summary: "the shape of an emitter", example: "shape:rect"),
    QueryField(
      name: "dimension", kind: .word, summary: "2d or 3d", example: "dimension:3d"),
    QueryField(name: "unit", kind: .word, summary: "the unit of length", example: "unit:pixel"),
    QueryField(
      name: "problem", kind: .word,
      summary: "a finding of validate: code, family or severity", example: "problem:image/missing"),
    QueryField(
      name: "digest", kind: .digest, summary: "the digest of the tree begins with this",
      example: "digest:8944e199"),
    QueryField(
      name: "alive", kind: .number, summary: "particles alive at once, an upper bound",
      example: "alive>500"),
    QueryField(
      name: "emitted", kind: .number, summary: "particles emitted in the first two seconds",
      example: "emitted<100"),
    QueryField(
      name: "duration", kind: .number,
      summary: "seconds until it ends; without a bound if it does not",
      example: "duration<=2.5"),
    QueryField(
      name: "emitters", kind: .number, summary: "number of emitters", example: "emitters>3"),
    QueryField(name: "textures", kind: .number, summary: "number of images", example: "textures:0"),
    QueryField(
      name: "memory", kind: .number, summary: "bytes of its images in texture memory",
      example: "memory>4Mi"),
    QueryField(
      name: "size", kind: .number, summary: "bytes of the file or folder", example: "size>100k"),
    QueryField(
      name: "errors", kind: .number, summary: "number of errors that validate finds",
      example: "errors>0"),
    QueryField(
      name: "warnings", kind: .number, summary: "number of warnings that validate finds",
      example: "warnings:0"),
    QueryField(
      name: "modified", kind: .time, summary: "day or time of the last change, in UTC",
      example: "modified>=2026-11-01"),
    QueryField(
      name: "similar", kind: .similar,
      summary: "looks like the effect in this file, the nearest first",
      example: "similar:fire.sks"),
  ]

  /// The columns that a word alone is searched in.
  static let textColumns = ["file", "name", "emitters", "textures"]

  static func named(_ name: String) -> QueryField? { all.first { $0.name == name } }
}

/// The words that queries may use beside the fields, as the caller knows them.
package struct QueryVocabulary: Sendable {
  /// The keys of properties.
  package var keys: @Sendable () -> [String]
  /// The words of a field; nil if it may be any.
  package var words: @Sendable (_ field: String) -> [String]?

  /// Creates a vocabulary.
  package init(
    keys: @escaping @Sendable () -> [String] = { [] },
    words: @escaping @Sendable (_ field: String) -> [String]? = { _ in nil }
  ) {
    (self.keys, self.words) = (keys, words)
  }
}
