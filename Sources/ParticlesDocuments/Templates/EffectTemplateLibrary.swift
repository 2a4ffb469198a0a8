public import ParticlesCore
internal import ParticlesModel

/// All templates at hand: those that people keep in folders, and the built-in ones.
///
/// Any `.particles` document in a folder is a template under its file name. Of several with the same
/// name, in whatever case, the one in the first folder counts, and a built-in one last.
public struct EffectTemplateLibrary: Sendable {
  /// A template as it is listed.
  public struct Entry: Sendable {
    /// The name it is asked for by.
    public var name: String
    /// What it looks like, in one line: the comment or the name in the document.
    public var summary: String
    /// The path of the document; nil for a built-in template.
    public var path: String?
    /// Why it cannot be used; nil if it can.
    public var problem: Diagnostic?
  }

  /// The folders, the most important one first. They need not exist.
  public var folders: [String]

  /// What opening a template may cost.
  public var limits: Limits

  /// Creates the library of these folders.
  public init(folders: [String], limits: Limits = .standard) {
    self.folders = folders
    self.limits = limits
  }

  /// Creates the library of the data folders of the user and of the system, as the XDG Base
  /// Directory Specification names them: `particles/templates` in `XDG_DATA_HOME` (otherwise
  /// `~/.local/share`), and in each of `XDG_DATA_DIRS` (otherwise `/usr/local/share` and
  /// `/usr/share`). Paths that are not absolute do not count.
  public init(environment: [String: String], limits: Limits = .standard) {
    let folders = BaseDirectories(environment: environment).data
    self.init(
      folders: folders.map { Files.joined($0, "particles/templates") },
      limits: limits)
  }

  /// The templates: the built-in ones that nothing takes the place of, in their order, then those in
  /// folders, by name.
  /// A template that is broken and what cannot be listed have an entry that says why; that of a
  /// folder, or of a file whose name is no text, is called `?`.
  public func entries() throws -> [Entry] {
    let (documents, faults) = documents()
    let own = try documents.map { document -> Entry in
      var entry = Entry(name: document.name, summary: "", path: document.path)
      do {
        let system = try OpenedEffect(path: document.path, limits: limits).package.system()
        let line = (system.asset.comment ?? system.asset.name ?? "").split(separator: "\n").first
        entry.summary = line.map(String.init) ?? document.path
      } catch let diagnostic as Diagnostic {
        entry.problem = diagnostic.inside(Location(file: document.path))
      }
      return entry
    }
    let names = Set(own.map { $0.name.lowercased() })
    let builtIn = EffectTemplate.all.filter { !names.contains($0.name) }
      .map { Entry(name: $0.name, summary: $0.summary) }
    return builtIn + own
      + faults.map { Entry(name: "?", summary: "", path: $0.location.file, problem: $0) }
  }

  /// A new package made from a template; nil if there is none of this name, whatever its case.
  /// - Throws: what makes the template unusable; what listing a folder throws if it may be there.
  public func package(named name: String) throws -> EffectPackage? {
    let (documents, faults) = documents()
    guard let document = documents.first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      if let template = EffectTemplate.named(name) { return try template.package() }
      if let fault = faults.first(where: { $0.rule != .name }) { throw fault }
      return nil
    }
    let package = try OpenedEffect(path: document.path, limits: limits).package
    // A package without a sound document would be no good beginning.
    _ = try locating(Location(file: document.path)) { try package.system(limits: limits) }
    return package
  }

  /// The documents in the folders, each name once, by name; and why folders cannot be listed.
  private func documents() -> (
    documents: [(name: String, path: String)], faults: [Diagnostic]
  ) {
    var documents: [String: (name: String, path: String)] = [:]
    var faults: [Diagnostic] = []
    for folder in folders {
      var files: [String] = []
      do {
        if try Files.status(folder)?.kind == .directory {
          files = try Files.list(folder) { faults.append($0) }
        }
      } catch let fault as Diagnostic {
        faults.append(fault)
      } catch {
        faults.append(Diagnostic(.fileUnreadable, at: Location(file: folder), "\(error)"))
      }
      for file in files
      where Files.pathExtension(of: file) == "particles" && !file.hasPrefix(".") {
        let name = Files.stem(of: file)
        if documents[name.lowercased()] == nil {
          documents[name.lowercased()] = (name, Files.joined(folder, file))
        }
      }
    }
    return (documents.values.sorted { $0.name < $1.name }, faults)
  }
}
