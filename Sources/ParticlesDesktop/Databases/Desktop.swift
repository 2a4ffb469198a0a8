package import ParticlesCore
package import ParticlesTypes

/// What the machine says of types and programs: its shared MIME database, its desktop entries, and
/// what was chosen among them.
package struct Desktop: Sendable {
  /// The MIME types.
  package let mimeTypes: SharedMIMEDatabase

  /// The programs.
  package let programs: [DesktopProgram]

  private let chosen: DesktopChoices
  private let byIdentifier: [String: DesktopProgram]

  /// Reads what an environment leads to.
  /// - Parameters:
  ///   - environment: the variables; those of the XDG Base Directory Specification,
  ///     `XDG_CURRENT_DESKTOP` and `HOME` count.
  ///   - limits: what each file may cost.
  /// - Throws: what reading the files throws. What is not there is no error.
  package init(environment: [String: String], limits: Limits = .standard) throws {
    let directories = BaseDirectories(environment: environment)
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
    mimeTypes = try SharedMIMEDatabase(folders: directories.data, limits: limits)
    programs = try DesktopProgram.all(in: directories.data, limits)
    chosen = try DesktopChoices(
      directories, desktops: desktops.map(String.init), limits: limits)
    byIdentifier = Dictionary(programs.map { ($0.identifier, $0) }) { first, _ in first }
  }

  // MARK: Who opens what

  /// The programs that open files of a MIME type, in the order in which they would be offered.
  package func programs(for type: String) -> [DesktopProgram] {
    let type = mimeTypes.canonical(type)
    let declaring = programs.filter { $0.mimeTypes.map(mimeTypes.canonical).contains(type) }
    return chosen.programs(for: type, declaring: declaring.map(\.identifier))
      .compactMap { byIdentifier[$0] }
  }

  /// The program that opens files of a MIME type ordinarily: the first one chosen for it that is
  /// installed, or else the first that opens such files; or else that of what it is a special case
  /// of.
  package func defaultProgram(for type: String) -> DesktopProgram? {
    for type in mimeTypes.ancestry(of: type) {
      let program = chosen.defaults(for: type).lazy.compactMap { byIdentifier[$0] }.first
      if let program = program ?? programs(for: type).first { return program }
    }
    return nil
  }
}

// MARK: - In terms of a registry

extension Desktop {
  /// The types that a registry does not know by their MIME type yet, in its terms: dynamic ones.
  ///
  /// What the database states of other types is not told again: their conformance is richer here,
  /// and patterns of names are weighed in another way there.
  package func declarations(beside registry: TypeRegistry = .standard) -> [TypeDeclaration] {
    var extensions: [String: [String]] = [:]
    for glob in mimeTypes.globs {
      if let name = glob.glob.fileExtension { extensions[glob.type, default: []].append(name) }
    }
    var contents: [String: [ContentPattern]] = [:]
    for (type, pattern) in mimeTypes.patterns { contents[type, default: []].append(pattern) }
    return Set(extensions.keys).union(contents.keys).sorted().compactMap { type in
      guard registry.select(tag: type, tagClass: .mimeType).candidates.isEmpty,
        let identifier = Self.identifier(of: type, in: registry)
      else { return nil }
      let supertypes = mimeTypes.parents(of: type).compactMap {
        $0 == SharedMIMEDatabase.unknown ? "public.data" : Self.identifier(of: $0, in: registry)
      }
      let names = extensions[type] ?? []
      return TypeDeclaration(
        identifier, .imported, source: DeclarationSource(.desktop, owner: "shared-mime-info"),
        conformingTo: supertypes,
        tags: [
          .mimeType: [type], .filenameExtension: names.filter { !$0.contains(".") },
          .compoundExtension: names.filter { $0.contains(".") },
        ], patterns: contents[type] ?? [])
    }
  }

  /// What the programs claim.
  package func claims(in registry: TypeRegistry = .standard) -> [HandlerClaim] {
    programs.filter { $0.takesFiles && !$0.mimeTypes.isEmpty }.map { entry in
      HandlerClaim(
        by: Handler(entry.identifier, name: entry.name),
        to: entry.mimeTypes.compactMap { Self.identifier(of: $0, in: registry) },
        source: DeclarationSource(.desktop, owner: entry.identifier, path: entry.path))
    }
  }

  /// What was chosen. Of several programs for a type, the first one that is installed counts.
  package func choices(in registry: TypeRegistry = .standard) -> [HandlerChoice] {
    chosen.chosenTypes.compactMap { type in
      guard
        let program = chosen.defaults(for: type).first(where: { byIdentifier[$0] != nil }),
        let identifier = Self.identifier(of: type, in: registry)
      else { return nil }
      return HandlerChoice(.type(identifier), handler: program)
    }
  }

  private static func identifier(of type: String, in registry: TypeRegistry) -> String? {
    registry.select(tag: type, tagClass: .mimeType).type?.identifier
  }
}
