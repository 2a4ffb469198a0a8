internal import ParticlesCore

/// An independent JSON Schema validator: the package `jsonschema` from PyPI. `make test` installs
/// it; without it, tests that need it report a skip.
package enum JSONSchemaOracle {
  /// The reason for a skip.
  package static let absence = "no Python with jsonschema here; 'make test' installs it"

  /// A Python with the package: that of `.build/python`, or that of the system.
  package static let python: String? = {
    let candidates = [Repository.path(".build/python/bin/python3"), Run.find("python3")]
    return candidates.compactMap(\.self).first { python in
      (try? Run(python, ["-c", "import jsonschema"]))?.status == 0
    }
  }()

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for path in sys.stdin.read().split("\\n"):
        document = json.load(open(path, encoding="utf-8"))
        error = next(validator.iter_errors(document), None)
        print("" if error is None else (error.json_path + ": " + error.message)[:300].replace("\\n", " "))
    """

  /// Validates documents. Returns the first error of each; nil for a valid one.
  /// - Parameters:
  ///   - documents: JSON texts.
  ///   - schema: the path of the schema, which is checked first.
  package static func verdicts(on documents: [[UInt8]], by schema: String) throws -> [String?] {
    guard let python, !documents.isEmpty else { return [] }
    let scratch = try Scratch()
    let paths = try documents.enumerated().map { index, bytes in
      let path = scratch.file("\(index).json")
      try Files.create(path, bytes)
      return path
    }
    let run = try Run(
      python, ["-c", script, schema], input: Array(paths.joined(separator: "\n").utf8))
    guard run.status == 0 else { throw Diagnostic(.fileUnreadable, run.errors) }
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix(documents.count).map { $0.isEmpty ? nil : String($0) }
  }
}
