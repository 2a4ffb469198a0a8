package import ParticlesCore
internal import ParticlesPropertyLists

// Values that cannot be written in a format, so that no export drops anything silently.

extension TypesFile {
  /// The formats of exports.
  package enum ExportFormat: Sendable {
    case propertyList, json, desktop
  }

  /// Reports the values of the file that a format cannot represent, as
  /// ``ParticlesCore/Rule/lost``.
  package func losses(in format: ExportFormat) -> [Diagnostic] {
    switch format {
    case .propertyList: original == nil ? lossesInPropertyList : lossesInOriginal
    case .json: lossesInJSON
    case .desktop: lossesOnDesktop
    }
  }

  private static func loss(_ key: String, _ what: String) -> Diagnostic {
    Diagnostic(.lost, at: .key(key), what)
  }

  /// A property list that is written again keeps all values; comments and values outside of the range of
  /// XML are lost.
  private var lossesInOriginal: [Diagnostic] {
    guard let original else { return [] }
    var losses: [Diagnostic] = []
    if hasComments { losses.append(Diagnostic(.lost, "the comments of the file", severity: .note)) }
    if (try? PropertyListValue(decoding: original.xml)) != original {
      losses.append(Diagnostic(.lost, "text or dates that XML cannot represent exactly"))
    }
    return losses
  }

  private var lossesInPropertyList: [Diagnostic] {
    var losses: [Diagnostic] = []
    for entry in declarations {
      let declaration = entry.value
      let parts: [(String, Bool)] = [
        ("compoundExtensions", !declaration.tags[.compoundExtension].isEmpty),
        ("sharedMIMEType", !declaration.tags[.sharedMIMEType].isEmpty),
        ("magic", !declaration.patterns.isEmpty), ("globs", !declaration.globs.isEmpty),
        ("template", declaration.templatePath != nil), ("wildcard", declaration.isWildcard),
      ]
      losses += parts.filter(\.1).map {
        Self.loss("\(entry.key).\($0.0)", "'\(declaration.identifier)'")
      }
    }
    for entry in claims {
      for (identifier, key) in zip(entry.value.claim.types, entry.value.typeKeys)
      where entry.value.claim.namedTypes.contains(identifier)
        && DynamicIdentifier(identifier) != nil
      {
        losses.append(Self.loss(key, "the dynamic identifier '\(identifier)'"))
      }
    }
    return losses + lossesOfUses
  }

  /// Actions and choices.
  private var lossesOfUses: [Diagnostic] {
    (actions.isEmpty ? [] : [Self.loss("actions", "actions")])
      + (choices.isEmpty ? [] : [Self.loss("choices", "choices")])
  }

  /// The keys of declarations and claims in a property list that `types.json` does not have.
  private var lossesInJSON: [Diagnostic] {
    guard let root = original?.json.object else { return [] }
    var losses: [Diagnostic] = []
    let lists: [(key: String, kept: Set<String>)] = [
      ("UTExportedTypeDeclarations", Self.keptDeclarationKeys),
      ("UTImportedTypeDeclarations", Self.keptDeclarationKeys),
      ("CFBundleDocumentTypes", Self.keptClaimKeys),
    ]
    for (key, kept) in lists {
      for (index, entry) in (root[key]?.array ?? []).enumerated() {
        for member in entry.object?.members ?? [] where !kept.contains(member.key) {
          losses.append(Self.loss("\(key)[\(index)].\(member.key)", "the value of the key"))
        }
        let tags = entry.object?["UTTypeTagSpecification"]?.object?.members ?? []
        for tag in tags where !Self.keptTagClasses.contains(tag.key) {
          losses.append(
            Self.loss("\(key)[\(index)].UTTypeTagSpecification.\(tag.key)", "tags of the class"))
        }
      }
    }
    return losses
  }

  private static let keptDeclarationKeys: Set = [
    "UTTypeIdentifier", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeDescription",
    "UTTypeReferenceURL", "UTTypeVersion", "UTTypeIconFile",
  ]

  private static let keptClaimKeys: Set = [
    "CFBundleTypeName", "CFBundleTypeRole", "LSItemContentTypes", "LSHandlerRank",
    "LSTypeIsPackage", "NSDocumentClass", "UIDocumentClass", "CFBundleTypeExtensions",
    "CFBundleTypeMIMETypes", "CFBundleTypeOSTypes",
  ]

  private static let keptTagClasses = Set(tagKeys.map(\.tagClass.rawValue))

  /// Desktops have no types for directories.
  private var lossesOnDesktop: [Diagnostic] {
    let registry = TypeRegistry.standard.adding([self])
    func isDirectory(_ identifier: String) -> Bool {
      UniformType(importedAs: identifier, in: registry).conforms(to: .directory)
    }
    let declared = declarations.filter {
      $0.value.kind == .exported && isDirectory($0.value.identifier)
    }.map { Self.loss($0.key, "'\($0.value.identifier)', a type of directories") }
    let claimed = claims.flatMap { entry in
      zip(entry.value.claim.types, entry.value.typeKeys).filter { isDirectory($0.0) }.map {
        Self.loss($0.1, "'\($0.0)', a type of directories")
      }
    }
    return declared + claimed
  }
}
