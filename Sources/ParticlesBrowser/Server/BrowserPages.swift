internal import CParticlesBrowserPages

/// The files of the pages, which are in the executable.
enum BrowserPages {
  /// The file of this name; nil if there is none.
  static func file(_ name: String) -> [UInt8]? {
    var index = 0
    while let page = particles_browser_page_at(index)?.pointee {
      if String(cString: page.name) == name {
        return Array(UnsafeBufferPointer(start: page.start, count: page.size))
      }
      index += 1
    }
    return nil
  }

  /// The names, in order.
  static var names: [String] {
    var names: [String] = []
    while let page = particles_browser_page_at(names.count)?.pointee {
      names.append(String(cString: page.name))
    }
    return names
  }

  /// The media type of a file by its extension.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    case "wasm": "application/wasm"
    default: "text/plain; charset=utf-8"
    }
  }
}
