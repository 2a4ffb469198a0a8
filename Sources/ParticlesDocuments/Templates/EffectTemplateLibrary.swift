public import ParticlesCore
public import ParticlesEffects
internal import ParticlesModel
internal import ParticlesSystem

/// The templates in folders, and the built-in ones.
///
/// Each `.particles` document in a folder is a template, named after the file. Names are compared without regard to
/// case. Earlier folders take precedence over later folders and over built-in templates.
public struct EffectTemplateLibrary: Sendable {
  /// A template in a list.
  public struct Entry: Sendable {
    /// The name.
    public var name: String
    /// A description, one line: the comment or the name of the effect.
    public var summary: String
    /// The path of the document, or nil for a built-in template.
    public var path: String?
    /// The error that makes it unusable, or nil if there is none.
    public var problem: Diagnostic?
  }

  /// The folders, in order of precedence. They need not exist.
  public var folders: [String]

  /// The limits for reading a template.
  public var limits: Limits

  /// Creates the library of these folders.
  public init(folders: [String], limits: Limits = .standard) {
    self.folders = folders
    self.limits = limits
  }

  /// Creates the library of the data folders of the XDG Base Directory Specification:
  /// `particles/templates` in `XDG_DATA_HOME` (default `~/.local/share`) and in each of
  /// `XDG_DATA_DIRS` (default `/usr/local/share` and `/usr/share`). Relative paths are ignored.
  public init(environment: [String: String], limits: Limits = .standard) {
    let folders = BaseDirectories(environment: environment).data
    self.init(
      folders: folders.map { Files.joined($0, "particles/templates") },
      limits: limits)
  }

  /// Returns the templates: built-in templates that no file overrides, then templates in folders by name. A template
  /// that cannot be read has an entry with a problem. A folder that cannot be listed and a file whose name is not
  /// UTF-8 have an entry with a problem and the name `?`.
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

  /// Returns a new package made from a template, or nil for an unknown name.
  /// - Throws: the error that makes the template unusable, or, if no template is found, the error of listing a
  ///   folder.
  public func package(named name: String) throws -> EffectPackage? {
    let (documents, faults) = documents()
    guard let document = documents.first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      if let template = EffectTemplate.named(name) { return try template.package() }
      if let fault = faults.first(where: { $0.rule != .name }) { throw fault }
      return nil
    }
    let package = try OpenedEffect(path: document.path, limits: limits).package
    // A template needs a valid document.
    _ = try locating(Location(file: document.path)) { try package.system(limits: limits) }
    return package
  }

  /// Returns the documents in the folders by name, each name once, and the errors of listing
  /// folders.
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
