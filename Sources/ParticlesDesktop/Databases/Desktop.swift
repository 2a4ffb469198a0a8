package import ParticlesCore
package import ParticlesTypes

/// The types and programs of a machine: its shared MIME database, its desktop entries, and the
/// default applications.
package struct Desktop: Sendable {
  /// The MIME types.
  package let mimeTypes: SharedMIMEDatabase

  /// The programs.
  package let programs: [DesktopProgram]

  private let chosen: DesktopChoices
  private let byIdentifier: [String: DesktopProgram]

  /// Reads the databases of an environment.
  /// - Parameters:
  ///   - environment: the variables; those of the XDG Base Directory Specification,
  ///     `XDG_CURRENT_DESKTOP` and `HOME` are used.
  ///   - limits: limits for reading each file.
  /// - Throws: an error if a file cannot be read. A missing file or folder is not an error.
  package init(environment: [String: String], limits: Limits = .standard) throws {
    let directories = BaseDirectories(environment: environment)
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
    mimeTypes = try SharedMIMEDatabase(folders: directories.data, limits: limits)
    programs = try DesktopProgram.all(in: directories.data, limits)
    chosen = try DesktopChoices(
      directories, desktops: desktops.map(String.init), limits: limits)
    byIdentifier = Dictionary(programs.map { ($0.identifier, $0) }) { first, _ in first }
  }

  // MARK: Programs of a type

  /// Returns the programs that open files of a MIME type, in the order of preference.
  package func programs(for type: String) -> [DesktopProgram] {
    let type = mimeTypes.canonical(type)
    let declaring = programs.filter { $0.mimeTypes.map(mimeTypes.canonical).contains(type) }
    return chosen.programs(for: type, declaring: declaring.map(\.identifier))
      .compactMap { byIdentifier[$0] }
  }

  /// Returns the default program of a MIME type: the first chosen one that is installed, otherwise
  /// the first one that opens such files, otherwise that of the nearest supertype.
  package func defaultProgram(for type: String) -> DesktopProgram? {
    for type in mimeTypes.ancestry(of: type) {
      let program = chosen.defaults(for: type).lazy.compactMap { byIdentifier[$0] }.first
      if let program = program ?? programs(for: type).first { return program }
    }
    return nil
  }
}

// MARK: - As declarations and claims

extension Desktop {
  /// Returns declarations of the MIME types that no type of a registry has; their identifiers are
  /// dynamic.
  ///
  /// Types that the registry declares are left out, since their conformance in the registry is more
  /// detailed.
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

  /// Returns the claims of the programs.
  package func claims(in registry: TypeRegistry = .standard) -> [HandlerClaim] {
    programs.filter { $0.takesFiles && !$0.mimeTypes.isEmpty }.map { entry in
      HandlerClaim(
        by: Handler(entry.identifier, name: entry.name),
        to: entry.mimeTypes.compactMap { Self.identifier(of: $0, in: registry) },
        source: DeclarationSource(.desktop, owner: entry.identifier, path: entry.path))
    }
  }

  /// Returns the default applications: for each type, the first chosen one that is installed.
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
