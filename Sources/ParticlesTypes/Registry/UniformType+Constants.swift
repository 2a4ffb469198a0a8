// Constants for common types. A test checks that the table declares each of them.

extension UniformType {
  /// The base of everything in a file system.
  public static let item = bundled("public.item")
  /// The base of all files.
  public static let data = bundled("public.data")
  /// The base of all directories: folders and packages.
  public static let directory = bundled("public.directory")
  /// A directory that users browse.
  public static let folder = bundled("public.folder")
  /// A directory that users see as one file.
  public static let package = bundled("com.apple.package")
  /// A directory with a defined layout.
  public static let bundle = bundled("com.apple.bundle")
  /// The base of all documents.
  public static let content = bundled("public.content")
  /// Documents of mixed contents.
  public static let compositeContent = bundled("public.composite-content")
  /// All text, with markup or without.
  public static let text = bundled("public.text")
  /// Text without markup.
  public static let plainText = bundled("public.plain-text")
  /// Text without markup in UTF-8.
  public static let utf8PlainText = bundled("public.utf8-plain-text")
  /// Comma-separated values.
  public static var commaSeparatedText: UniformType {
    bundled("public.comma-separated-values-text")
  }
  /// Source code of any language.
  public static let sourceCode = bundled("public.source-code")
  /// Swift.
  public static let swiftSource = bundled("public.swift-source")
  /// Python.
  public static let pythonScript = bundled("public.python-script")
  /// JSON.
  public static let json = bundled("public.json")
  /// YAML.
  public static let yaml = bundled("public.yaml")
  /// XML.
  public static let xml = bundled("public.xml")
  /// HTML.
  public static let html = bundled("public.html")
  /// Rich text.
  public static let rtf = bundled("public.rtf")
  /// A property list in any format.
  public static let propertyList = bundled("com.apple.property-list")
  /// A property list in XML.
  public static let xmlPropertyList = bundled("com.apple.xml-property-list")
  /// A property list in binary form.
  public static let binaryPropertyList = bundled("com.apple.binary-property-list")
  /// All images.
  public static let image = bundled("public.image")
  /// PNG.
  public static let png = bundled("public.png")
  /// JPEG.
  public static let jpeg = bundled("public.jpeg")
  /// GIF.
  public static let gif = bundled("com.compuserve.gif")
  /// TIFF.
  public static let tiff = bundled("public.tiff")
  /// Windows bitmaps.
  public static let bmp = bundled("com.microsoft.bmp")
  /// WebP.
  public static let webP = bundled("org.webmproject.webp")
  /// SVG.
  public static let svg = bundled("public.svg-image")
  /// HEIC.
  public static let heic = bundled("public.heic")
  /// OpenEXR.
  public static let exr = bundled("com.ilm.openexr-image")
  /// PDF.
  public static let pdf = bundled("com.adobe.pdf")
  /// Video with or without sound.
  public static let movie = bundled("public.movie")
  /// Video without sound.
  public static let video = bundled("public.video")
  /// Audio.
  public static let audio = bundled("public.audio")
  /// Archives of files.
  public static let archive = bundled("public.archive")
  /// ZIP.
  public static let zip = bundled("public.zip-archive")
  /// A file compressed with gzip.
  public static let gzip = bundled("org.gnu.gnu-zip-archive")
  /// Tar.
  public static let tarArchive = bundled("public.tar-archive")
  /// Programs and scripts that can be run.
  public static let executable = bundled("public.executable")
  /// An application.
  public static let applicationBundle = bundled("com.apple.application-bundle")
  /// Three-dimensional models and scenes.
  public static let threeDContent = bundled("public.3d-content")
  /// A scene of SceneKit.
  public static let sceneKitScene = bundled("com.apple.scenekit.scene")
  /// A scene in one file of Universal Scene Description.
  public static let usdz = bundled("com.pixar.universal-scene-description-mobile")
  /// The Particles format as one file.
  public static let particles = bundled("org.particles-format.particles")
  /// The Particles format as a directory.
  public static var particlesPackage: UniformType {
    bundled("org.particles-format.particles-package")
  }

  private static func bundled(_ identifier: String) -> UniformType {
    UniformType(exportedAs: identifier)
  }
}
