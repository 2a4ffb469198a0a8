internal import ParticlesCore

/// An earlier state of a document, kept in the data folder of the user.
public struct DocumentVersion: Sendable, Hashable {
  /// Why a version was kept.
  public enum Kind: String, Sendable, CaseIterable {
    /// The state before the first save.
    case opened
    /// A save that was asked for.
    case saved
    /// An automatic save.
    case autosaved
    /// A state that another program has saved.
    case outside
    /// A state that was replaced by an older version, or by the saved state.
    case replaced
    /// One side of a conflict.
    case conflict
  }

  /// Its number, unique in the versions of the document and never used again.
  public var number: Int

  /// Why it was kept.
  public var kind: Kind

  /// When it was kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept it, and that of the machine.
  public var program: String, host: String

  /// A description, such as the changes that were made; nil if there is none.
  public var comment: String?

  /// The size of all files in bytes.
  public var size: Int

  /// The digest of the list of its files.
  var tree: String

  /// Whether the document was saved in this state, so that it may be in it still.
  var isSavedState: Bool { [.opened, .saved, .autosaved, .outside].contains(kind) }

  /// Whether it may be dropped to save room. The sides of a conflict may not, until they are deleted.
  var isDiscardable: Bool { kind != .conflict }

  var json: JSONValue {
    var object: JSONObject = [
      "number": .int(number), "kind": .string(kind.rawValue), "seconds": .double(seconds),
      "program": .string(program), "host": .string(host), "size": .int(size),
      "tree": .string(tree),
    ]
    object["comment"] = comment.map(JSONValue.string)
    return .object(object)
  }

  init(
    number: Int, kind: Kind, seconds: Double, comment: String?, size: Int, tree: String,
    program: String = RunningProcess.name, host: String = RunningProcess.host
  ) {
    (self.number, self.kind, self.seconds) = (number, kind, seconds)
    (self.comment, self.size, self.tree) = (comment, size, tree)
    (self.program, self.host) = (program, host)
  }

  /// Nil if a member is missing.
  init?(_ json: JSONValue) {
    guard let object = json.object, let number = object["number"]?.int,
      let kind = object["kind"]?.string.flatMap(Kind.init), let tree = object["tree"]?.string,
      let seconds = object["seconds"]?.double, let size = object["size"]?.int
    else { return nil }
    self.init(
      number: number, kind: kind, seconds: seconds, comment: object["comment"]?.string,
      size: size, tree: tree, program: object["program"]?.string ?? "",
      host: object["host"]?.string ?? "")
  }
}
