internal import ParticlesCore
internal import ParticlesPlatform

/// Conversion of many small effects with their images to packages, in one run.
extension Arena {
  /// The folders of small effects in the corpus.
  static let kinds = ["plist", "pex", "sks", "scnp"]

  /// The number of copies of each effect.
  private static let copies = 20

  /// The folder of real effects: `PARTICLES_CORPUS`, or `../shared/corpus`.
  static let corpus = getenv("PARTICLES_CORPUS").map { String(cString: $0) } ?? "../shared/corpus"

  /// Whether the corpus has small effects.
  static var hasEffects: Bool {
    kinds.allSatisfy { (try? Files.status(Files.joined(corpus, $0)))?.kind == .directory }
  }

  /// Converts with the tool; reads, parses and writes the same bytes with Python; and flushes the
  /// result of the tool to disk once more, which shows the cost of durability.
  func batch() throws -> Contest {
    let (effects, results) = (path("effects"), path("packages"))
    let count = try copyEffects(to: effects)
    var others: [Contestant] = []
    let peers = [
      ("plistlib", ["python3", "-c", Self.script, effects, path("copies")], path("copies")),
      ("sync", ["sync", "-f", results], nil as String?),
    ]
    for (label, words, output) in peers where ChildProcess.find(words[0]) != nil {
      others.append(
        Contestant(
          label: label, prepare: { if let output { try Files.clear(output) } },
          work: .process(ChildProcess(words: words)), count: count))
    }
    let convert = [tool, "convert", "-q", "-r", effects, "--to", "particles", "-o", results]
    return Contest(
      operation: .batch, shape: shape,
      ours: Contestant(
        label: "particles", prepare: { try Files.clear(results) },
        work: .process(ChildProcess(words: convert)),
        check: {
          let found = try Self.countFiles(in: results)
          guard found == count else {
            throw ChildProcess.Failure(text: "\(found) results for \(count) effects")
          }
        }, count: count),
      peers: others)
  }

  /// Copies the effects and their images into a folder for each copy.
  /// - Returns: the number of effects, without images.
  private func copyEffects(to folder: String) throws -> Int {
    try Files.clear(folder)
    try Files.makeDirectory(folder)
    var count = 0
    for copy in 1...Self.copies {
      let place = Files.joined(folder, "\(copy)")
      try Files.makeDirectory(place)
      for kind in Self.kinds {
        count += try Self.copyTree(
          Files.joined(Self.corpus, kind), to: Files.joined(place, kind), counting: kind)
      }
    }
    return count
  }

  private static func copyTree(_ source: String, to target: String, counting kind: String) throws
    -> Int
  {
    try Files.makeDirectory(target)
    var count = 0
    for name in try Files.list(source, passingOver: { _ in }) {
      try Interruption.check()
      let (from, to) = (Files.joined(source, name), Files.joined(target, name))
      if try Files.status(from)?.kind == .directory {
        count += try copyTree(from, to: to, counting: kind)
      } else {
        try Files.read(from).withUnsafeBytes(OpenFile(creating: to).write)
        if Files.pathExtension(of: name) == kind { count += 1 }
      }
    }
    return count
  }

  private static func countFiles(in folder: String) throws -> Int {
    try Files.list(folder, passingOver: { _ in }).reduce(0) { count, name in
      let path = Files.joined(folder, name)
      let isFolder = try Files.status(path)?.kind == .directory
      return count + (isFolder ? try countFiles(in: path) : 1)
    }
  }

  /// Reads, parses and writes every file, in one thread and without flushing.
  private static let script =
    "import os, plistlib, sys\nimport xml.etree.ElementTree as xml\n" + """
      source, target = sys.argv[1:]
      for folder, _, names in os.walk(source):
          place = os.path.join(target, os.path.relpath(folder, source))
          os.makedirs(place)
          for name in names:
              with open(os.path.join(folder, name), 'rb') as file:
                  data = file.read()
              if name.endswith('.pex'):
                  data = xml.tostring(xml.fromstring(data))
              elif not name.endswith('.png'):
                  form = plistlib.FMT_BINARY if data.startswith(b'bplist') else plistlib.FMT_XML
                  data = plistlib.dumps(plistlib.loads(data), fmt=form, sort_keys=False)
              with open(os.path.join(place, name), 'wb') as file:
                  file.write(data)
      """
}
