/// The keys of property lists that describe types and documents. Others in the same dictionaries are
/// reported, since they are most likely misspelt.
enum PropertyListKeys {
  /// The keys of a declaration, from Apple's Information Property List reference and the property
  /// lists of applications.
  static let declaration: Set = [
    "UTTypeIdentifier", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeDescription",
    "UTTypeReferenceURL", "UTTypeVersion", "UTTypeIcons", "UTTypeIconFile", "UTTypeIconFiles",
    "UTTypeIconName", "UTTypeIconText", "UTTypeIconBackgroundName", "UTTypeIconBadgeName",
    "UTTypeIconSystemGenerated", "UTTypeSize320IconFile", "UTTypeSize64IconFile",
    "UTTypeIsWildcard",
  ]

  /// The keys of a claim.
  static let claim: Set = [
    "CFBundleTypeName", "CFBundleTypeRole", "CFBundleTypeExtensions", "CFBundleTypeMIMETypes",
    "CFBundleTypeOSTypes", "CFBundleTypeIconFile", "CFBundleTypeIconFiles", "CFBundleTypeIconName",
    "CFBundleTypeIconSystemGenerated", "LSItemContentTypes", "LSHandlerRank", "LSTypeIsPackage",
    "LSIsAppleDefaultForType", "LSIsAppleDefaultNoOverrideForType", "NSDocumentClass",
    "UIDocumentClass", "NSExportableTypes", "NSExportableAs", "NSIsRelatedItemType",
    "NSPersistentStoreTypeKey", "NSUbiquitousDocumentUserActivityType",
  ]

  /// The keys of a property list as a whole that types and documents depend on.
  static let root = [
    "UTExportedTypeDeclarations", "UTImportedTypeDeclarations", "CFBundleDocumentTypes",
    "UISupportsDocumentBrowser", "LSSupportsOpeningDocumentsInPlace",
  ]

  /// The classes of tags with a defined meaning.
  static let tagClasses: [TagClass] = [
    .filenameExtension, .mimeType, .osType, .pasteboardType, .urlScheme,
  ]

  /// The prefixes of keys that belong to the system; unknown ones are most likely misspelt.
  static let prefixes = ["UT", "CFBundle", "LS", "NS", "UI"]
}
