// The types that programs ask for by name. They are those of the table: a test sees to it that each
// one is declared there.

extension UniformType {
  /// The base of everything that stands in a file system.
  public static let item = bundled("public.item")
  /// Everything that is a row of bytes.
  public static let data = bundled("public.data")
  /// Everything that is a directory: folders and packages.
  public static let directory = bundled("public.directory")
  /// A directory that people look into.
  public static let folder = bundled("public.folder")
  /// A directory that looks like a file.
  public static let package = bundled("com.apple.package")
  /// A directory with a certain layout.
  public static let bundle = bundled("com.apple.bundle")
  /// Everything that is a document.
  public static let content = bundled("public.content")
  /// Documents of mixed contents.
  public static let compositeContent = bundled("public.composite-content")
  /// All text, with markup or without.
  public static let text = bundled("public.text")
  /// Text without markup.
  public static let plainText = bundled("public.plain-text")
  /// Text without markup in UTF-8.
  public static let utf8PlainText = bundled("public.utf8-plain-text")
  /// Rows of values with commas between them.
  public static var commaSeparatedText: UniformType {
    bundled("public.comma-separated-values-text")
  }
  /// Programs as people write them.
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
  /// A property list in whatever form.
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
  /// Pictures that move, with sound or without.
  public static let movie = bundled("public.movie")
  /// Pictures that move, without sound.
  public static let video = bundled("public.video")
  /// Sound.
  public static let audio = bundled("public.audio")
  /// Files packed into one.
  public static let archive = bundled("public.archive")
  /// ZIP.
  public static let zip = bundled("public.zip-archive")
  /// One file, compressed with gzip.
  public static let gzip = bundled("org.gnu.gnu-zip-archive")
  /// Tar.
  public static let tarArchive = bundled("public.tar-archive")
  /// What can be run.
  public static let executable = bundled("public.executable")
  /// An application.
  public static let applicationBundle = bundled("com.apple.application-bundle")
  /// Three-dimensional scenes.
  public static let threeDContent = bundled("public.3d-content")
  /// A scene of SceneKit.
  public static let sceneKitScene = bundled("com.apple.scenekit.scene")
  /// A scene in one file of Universal Scene Description.
  public static let usdz = bundled("com.pixar.universal-scene-description-mobile")
  /// Our own format, as one file.
  public static let particles = bundled("org.particles-format.particles")
  /// Our own format, as a directory.
  public static var particlesPackage: UniformType {
    bundled("org.particles-format.particles-package")
  }

  private static func bundled(_ identifier: String) -> UniformType {
    UniformType(exportedAs: identifier)
  }
}
