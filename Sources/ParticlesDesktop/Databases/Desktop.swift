package import ParticlesCore
package import ParticlesTypes

/// The types and programs of a machine: its shared MIME database, its desktop entries, and the
/// default applications.
package struct Desktop: Sendable {
  /// The MIME types.
  package let mimeTypes: SharedMIMEDatabase

  /// The programs.
  package let programs: [DesktopProgram]

  private let associations: DesktopAssociations

  /// Reads the databases of an environment.
  /// - Parameters:
  ///   - environment: the variables; those of the XDG Base Directory Specification,
  ///     `XDG_CURRENT_DESKTOP`, `HOME` and `PATH` are used.
  ///   - limits: limits for reading each file.
  /// - Throws: an error if a file cannot be read. A missing file or folder is not an error.
  package init(environment: [String: String], limits: Limits = .standard) throws {
    let directories = BaseDirectories(environment: environment)
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
    mimeTypes = try SharedMIMEDatabase(folders: directories.data, limits: limits)
    let entries = try DesktopProgram.all(in: directories.data, limits)
    programs = DesktopProgram.effective(entries)
    associations = try DesktopAssociations(
      directories, desktops: desktops.map(String.init), programs: entries, mimeTypes: mimeTypes,
      searchPath: (environment["PATH"] ?? "").split(separator: ":").map(String.init),
      limits: limits)
  }

  // MARK: Programs of a type

  /// Returns the programs that open files of a MIME type, in the order of preference.
  /// - Parameter includingSupertypes: whether to add the programs of the declared supertypes.
  package func programs(
    for type: String, includingSupertypes: Bool = false
  ) -> [DesktopProgram] {
    associations.programs(for: type, includingSupertypes: includingSupertypes)
  }

  /// Returns the default program of a MIME type: the first chosen one that is installed, otherwise
  /// the first one that opens such files, otherwise that of the nearest declared supertype.
  package func defaultProgram(for type: String) -> DesktopProgram? {
    associations.defaultProgram(for: type)
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
    associations.choices.compactMap { type, programs in
      guard let program = programs.first, let identifier = Self.identifier(of: type, in: registry)
      else { return nil }
      return HandlerChoice(.type(identifier), handler: program.identifier)
    }
  }

  private static func identifier(of type: String, in registry: TypeRegistry) -> String? {
    registry.select(tag: type, tagClass: .mimeType).type?.identifier
  }
}
