// The types that programs ask for by name. They are those of the table: a test sees to it that each
// one is declared there.

extension UniformType {
  /// The base of everything that stands in a file system.
  public static var item: UniformType { bundled("public.item") }
  /// Everything that is a row of bytes.
  public static var data: UniformType { bundled("public.data") }
  /// Everything that is a directory: folders and packages.
  public static var directory: UniformType { bundled("public.directory") }
  /// A directory that people look into.
  public static var folder: UniformType { bundled("public.folder") }
  /// A directory that looks like a file.
  public static var package: UniformType { bundled("com.apple.package") }
  /// A directory with a certain layout.
  public static var bundle: UniformType { bundled("com.apple.bundle") }
  /// Everything that is a document.
  public static var content: UniformType { bundled("public.content") }
  /// Documents of mixed contents.
  public static var compositeContent: UniformType { bundled("public.composite-content") }
  /// All text, with markup or without.
  public static var text: UniformType { bundled("public.text") }
  /// Text without markup.
  public static var plainText: UniformType { bundled("public.plain-text") }
  /// Text without markup in UTF-8.
  public static var utf8PlainText: UniformType { bundled("public.utf8-plain-text") }
  /// Rows of values with commas between them.
  public static var commaSeparatedText: UniformType {
    bundled("public.comma-separated-values-text")
  }
  /// Programs as people write them.
  public static var sourceCode: UniformType { bundled("public.source-code") }
  /// Swift.
  public static var swiftSource: UniformType { bundled("public.swift-source") }
  /// Python.
  public static var pythonScript: UniformType { bundled("public.python-script") }
  /// JSON.
  public static var json: UniformType { bundled("public.json") }
  /// YAML.
  public static var yaml: UniformType { bundled("public.yaml") }
  /// XML.
  public static var xml: UniformType { bundled("public.xml") }
  /// HTML.
  public static var html: UniformType { bundled("public.html") }
  /// Rich text.
  public static var rtf: UniformType { bundled("public.rtf") }
  /// A property list in whatever form.
  public static var propertyList: UniformType { bundled("com.apple.property-list") }
  /// A property list in XML.
  public static var xmlPropertyList: UniformType { bundled("com.apple.xml-property-list") }
  /// A property list in binary form.
  public static var binaryPropertyList: UniformType { bundled("com.apple.binary-property-list") }
  /// All images.
  public static var image: UniformType { bundled("public.image") }
  /// PNG.
  public static var png: UniformType { bundled("public.png") }
  /// JPEG.
  public static var jpeg: UniformType { bundled("public.jpeg") }
  /// GIF.
  public static var gif: UniformType { bundled("com.compuserve.gif") }
  /// TIFF.
  public static var tiff: UniformType { bundled("public.tiff") }
  /// Windows bitmaps.
  public static var bmp: UniformType { bundled("com.microsoft.bmp") }
  /// WebP.
  public static var webP: UniformType { bundled("org.webmproject.webp") }
  /// SVG.
  public static var svg: UniformType { bundled("public.svg-image") }
  /// HEIC.
  public static var heic: UniformType { bundled("public.heic") }
  /// OpenEXR.
  public static var exr: UniformType { bundled("com.ilm.openexr-image") }
  /// PDF.
  public static var pdf: UniformType { bundled("com.adobe.pdf") }
  /// Pictures that move, with sound or without.
  public static var movie: UniformType { bundled("public.movie") }
  /// Pictures that move, without sound.
  public static var video: UniformType { bundled("public.video") }
  /// Sound.
  public static var audio: UniformType { bundled("public.audio") }
  /// Files packed into one.
  public static var archive: UniformType { bundled("public.archive") }
  /// ZIP.
  public static var zip: UniformType { bundled("public.zip-archive") }
  /// One file, compressed with gzip.
  public static var gzip: UniformType { bundled("org.gnu.gnu-zip-archive") }
  /// Tar.
  public static var tarArchive: UniformType { bundled("public.tar-archive") }
  /// What can be run.
  public static var executable: UniformType { bundled("public.executable") }
  /// An application.
  public static var applicationBundle: UniformType { bundled("com.apple.application-bundle") }
  /// Three-dimensional scenes.
  public static var threeDContent: UniformType { bundled("public.3d-content") }
  /// A scene of SceneKit.
  public static var sceneKitScene: UniformType { bundled("com.apple.scenekit.scene") }
  /// A scene in one file of Universal Scene Description.
  public static var usdz: UniformType { bundled("com.pixar.universal-scene-description-mobile") }
  /// Our own format, as one file.
  public static var particles: UniformType { bundled("org.particles-format.particles") }
  /// Our own format, as a directory.
  public static var particlesPackage: UniformType {
    bundled("org.particles-format.particles-package")
  }

  private static func bundled(_ identifier: String) -> UniformType {
    UniformType(exportedAs: identifier)
  }
}
