internal import ParticlesCore

extension DocumentSet {
  /// The files that a set leaves out.
  ///
  /// Patterns are those of `.gitignore`, and `{a,b}` means several: without a slash, a pattern matches
  /// names at any depth; with one, paths from the folder that is searched.
  public struct Filter: Sendable, Hashable {
    /// If there are any, only files that one of these patterns matches, or that are in a folder that one
    /// matches.
    public var include: [String]

    /// Files and folders to leave out, even if they are named or match ``include``.
    public var exclude: [String]

    /// Whether `.ignore`, `.gitignore` and `.git/info/exclude` leave out files and folders of a search; true by
    /// default.
    public var readsIgnoreFiles: Bool

    /// A folder for results, which is not searched if it is inside a searched folder; nil by default.
    package var results: String?

    /// Creates a filter.
    public init(include: [String] = [], exclude: [String] = [], readsIgnoreFiles: Bool = true) {
      self.include = include
      self.exclude = exclude
      self.readsIgnoreFiles = readsIgnoreFiles
    }
  }

  /// The patterns of a filter.
  struct Patterns {
    private let include: [IgnoreFile.Pattern]
    private let exclude: [IgnoreFile.Pattern]

    init(_ filter: Filter) {
      include = Self.read(filter.include)
      exclude = Self.read(filter.exclude)
    }

    private static func read(_ texts: [String]) -> [IgnoreFile.Pattern] {
      texts.flatMap(Braces.expand).compactMap { IgnoreFile.Pattern(glob: $0) }
    }

    /// Whether there are none.
    var isEmpty: Bool { include.isEmpty && exclude.isEmpty }

    /// Whether a folder that is searched is left out.
    func excludes(folder path: ArraySlice<Glob.Name>) -> Bool {
      exclude.contains { $0.matches(path, isFolder: true) }
    }

    /// Whether a file or package is left out.
    func excludes(file path: ArraySlice<Glob.Name>, isFolder: Bool) -> Bool {
      exclude.contains { $0.matches(anyPartOf: path, isFolder: isFolder) }
        || !include.isEmpty
          && !include.contains { $0.matches(anyPartOf: path, isFolder: isFolder) }
    }
  }
}

/// `{a,b}` in patterns, as shells and ripgrep read it.
enum Braces {
  /// The greatest number of patterns that one becomes.
  private static let most = 1_000

  /// The patterns that a pattern with braces means. One whose braces have no comma or no end, or that would become
  /// more than 1,000, is returned as it is.
  static func expand(_ text: String) -> [String] {
    var done: [String] = []
    var waiting = [Array(text.unicodeScalars)]
    while let next = waiting.popLast() {
      guard let (before, choices, after) = first(in: next) else {
        done.append(String(String.UnicodeScalarView(next)))
        continue
      }
      waiting += choices.reversed().map { before + $0 + after }
      guard done.count + waiting.count <= most else { return [text] }
    }
    return done
  }

  private typealias Scalars = [Unicode.Scalar]

  /// The first braces with a comma.
  private static func first(in text: Scalars) -> (Scalars, [Scalars], Scalars)? {
    var isEscaped = false
    for start in text.indices {
      if text[start] == "{", !isEscaped, let (choices, end) = choices(in: text, after: start) {
        return (Array(text[..<start]), choices, Array(text[(end + 1)...]))
      }
      isEscaped = text[start] == "\\" && !isEscaped
    }
    return nil
  }

  private static func choices(in text: Scalars, after start: Int) -> ([Scalars], Int)? {
    var choices: [Scalars] = [[]]
    var (depth, isEscaped) = (0, false)
    for index in (start + 1)..<text.count {
      let scalar = text[index]
      switch scalar {
      case "," where depth == 0 && !isEscaped: choices.append([])
      case "}" where depth == 0 && !isEscaped: return choices.count > 1 ? (choices, index) : nil
      default:
        if !isEscaped { depth += scalar == "{" ? 1 : scalar == "}" ? -1 : 0 }
        choices[choices.count - 1].append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return nil
  }
}
