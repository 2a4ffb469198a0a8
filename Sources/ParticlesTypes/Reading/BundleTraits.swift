internal import ParticlesCore

/// The kind of bundle that a property list describes, as far as the checks of types depend on it.
struct BundleTraits: Sendable {
  /// Whether it is an application for iOS.
  var isForTouch = false

  /// Whether it is an extension, a Quick Look generator or a Spotlight importer, which uses the types
  /// that applications declare.
  var isExtension = false

  /// Whether it shows the system's document browser.
  var hasDocumentBrowser = false

  /// The value of `LSSupportsOpeningDocumentsInPlace`; nil if it is absent.
  var opensInPlace: Bool?

  init() {}

  init(_ root: JSONObject, _ reader: inout EntryReader) {
    hasDocumentBrowser =
      reader.bool(root["UISupportsDocumentBrowser"], "UISupportsDocumentBrowser") ?? false
    opensInPlace = reader.bool(
      root["LSSupportsOpeningDocumentsInPlace"], "LSSupportsOpeningDocumentsInPlace")
    let kind = root["CFBundlePackageType"]?.string
    isExtension =
      root["NSExtension"] != nil || root["EXAppExtensionAttributes"] != nil || kind == "XPC!"
      || Self.hasImporterRole(root)
    let isForMac = root["LSMinimumSystemVersion"] != nil || root["NSPrincipalClass"] != nil
    isForTouch = !isExtension && !isForMac && Self.touchKeys.contains { root[$0] != nil }
  }

  private static let touchKeys = [
    "UIDeviceFamily", "LSRequiresIPhoneOS", "UISupportsDocumentBrowser", "UILaunchStoryboardName",
    "UILaunchScreen", "UIRequiredDeviceCapabilities", "UISupportedInterfaceOrientations",
    "UIApplicationSceneManifest",
  ]

  /// Claims of Quick Look generators and Spotlight importers have roles of their own.
  private static func hasImporterRole(_ root: JSONObject) -> Bool {
    let roles = (root["CFBundleDocumentTypes"]?.array ?? []).compactMap {
      $0.object?["CFBundleTypeRole"]?.string.flatMap(HandlerRole.init(named:))
    }
    return roles.contains { $0 == .quickLookGenerator || $0 == .spotlightImporter }
  }
}
