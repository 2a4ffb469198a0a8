extension Diagnostic {
  /// The findings in one or more files, as one JSON document with a version.
  ///
  /// Within a version, keys may be added but are never removed or changed. `Spec/cli.md` describes the layout.
  public struct Report: Sendable, Hashable {
    /// The version of the layout of ``json``.
    public static let version = 1

    /// The findings in one file.
    public struct File: Sendable, Hashable {
      /// The path as the caller gave it.
      public var path: String
      /// The recognised kind of the file; nil if it was not recognised.
      public var kind: String?
      /// Whether the path leads to a folder, whose entries are files on disk.
      public var isFolder: Bool
      /// The repairs that were made before validation.
      public var repairs: [Repair] = []
      /// The findings, in the order of their discovery.
      public var diagnostics: [Diagnostic]

      /// Creates the findings of a file.
      public init(
        path: String, kind: String? = nil, isFolder: Bool = false, diagnostics: [Diagnostic] = []
      ) {
        self.path = path
        self.kind = kind
        self.isFolder = isFolder
        self.diagnostics = diagnostics
      }
    }

    /// The files, in the order given.
    public var files: [File]

    /// Creates a report.
    public init(files: [File] = []) { self.files = files }

    /// How many findings are of this severity.
    public func count(_ severity: Severity) -> Int {
      files.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
    }

    /// The report as JSON.
    public var json: JSONValue {
      [
        "version": .int(Self.version),
        "errors": .int(count(.error)),
        "warnings": .int(count(.warning)),
        "files": .array(files.map { $0.json }),
      ]
    }
  }
}

extension Report.File {
  /// These findings as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["path": .string(RawPath.shown(path))]
    object["kind"] = kind.map(JSONValue.string)
    if !repairs.isEmpty { object["repairs"] = .array(repairs.map({ $0.json })) }
    object["diagnostics"] = .array(diagnostics.map { $0.json })
    return .object(object)
  }
}

extension Diagnostic {
  /// This diagnostic as JSON, without the path of the file.
  public var json: JSONValue {
    var object: JSONObject = [
      "code": .string(rule.code), "severity": .string(severity.rawValue),
      "message": .string(message),
    ]
    location.write(to: &object)
    object["expected"] = expected.map(JSONValue.string)
    object["found"] = found.map(JSONValue.string)
    object["hint"] = hint.map(JSONValue.string)
    attachment?.write(to: &object)
    object["spec"] = .string(rule.anchor)
    return .object(object)
  }
}

extension Location {
  /// Writes the entry and the position.
  fileprivate func write(to object: inout JSONObject) {
    object["entry"] = entry.map(JSONValue.string)
    switch position {
    case .offset(let offset): object["offset"] = .int(offset)
    case .key(let path): object["key"] = .string(path)
    case nil: break
    }
    object["line"] = (textPlace?.line).map(JSONValue.int)
    object["column"] = (textPlace?.column).map(JSONValue.int)
  }
}

extension Repair {
  /// This repair as JSON, without the path of the file.
  public var json: JSONValue {
    var object: JSONObject = ["code": .string(rule.code), "action": .string(action)]
    location.write(to: &object)
    return .object(object)
  }
}
