internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

extension Invocation {
  /// Runs the part of a command for packages that opens a file. For a file that is no package, the error
  /// names what it is, and the commands that take it.
  func namingOtherFiles<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as Diagnostic where fault.rule == .signature && path != Self.standardStream {
      throw otherFile(path, fault) ?? fault
    }
  }

  /// - Returns: nil if the kind of the file is not known, too.
  private func otherFile(_ path: String, _ fault: Diagnostic) -> Diagnostic? {
    let formats = FormatRegistry.standard
    let name = Files.lastComponent(of: path)
    guard let bytes = try? Files.read(path) else { return nil }
    var named = Diagnostic(.signature, at: Location(file: path))
    if let format = formats.formats.first(where: { $0.canRead && $0.recognise(bytes, name) }) {
      named.found = "a file of the format \(format.name): \(format.title)"
      named.hint =
        "'particles info' and 'particles render' take it as it is; "
        + "'particles convert \(path) -o \(Files.stem(of: path)).particles' makes a package of it"
    } else if let kind = formats.foreign(bytes, fileName: name) {
      (named.found, named.hint) = (kind.found, kind.hint)
    } else {
      return nil
    }
    return named
  }
}
