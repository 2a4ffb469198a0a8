internal import ParticlesCore

/// The frame of a web page that works without a network: pictures, styles and scripts are in the file.
///
/// The page permits its own style and its own script, by their digests, pictures that are in it, and
/// nothing else. It follows the light or dark appearance of the system.
struct WebPage {
  /// The title of the page.
  var title: String
  /// The style sheet.
  var style: String
  /// The script; nil for a page without one.
  var script: String?
  /// The script that loads the player of effects; nil for a page without one.
  var player: PackedScript?

  /// The text before the elements of the body.
  var head: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
    style-src \(style.sourceOfPolicy); script-src \(scripts)">
    <meta name="generator" content="particles">
    <title>\(title.escapingHTML)</title>
    <style>\(style)</style>
    </head>
    <body>

    """
  }

  /// The scripts that the policy permits: those in the page, and what that of the player loads, which is packed in it. Effects are
  /// simulated by WebAssembly, in a worker.
  private var scripts: String {
    let sources = [script?.sourceOfPolicy, player?.sources].compactMap { $0 }.joined(separator: " ")
    guard player != nil else { return sources.isEmpty ? "'none'" : sources }
    return sources + " 'wasm-unsafe-eval'; worker-src blob:"
  }

  /// The text after them: the scripts, and the end of the page.
  var tail: String {
    (script.map { "<script>\($0)</script>\n" } ?? "")
      + (player.map { "<script id=\"player\">\($0.loader)</script>\n" } ?? "")
      + "</body>\n</html>\n"
  }
}

/// A script that is packed in another one, which unpacks it and adds it to the page.
package struct PackedScript: Sendable {
  /// The script that is in the page.
  package let loader: String
  /// The sources of a policy that permits both, by their digests.
  package let sources: String

  package init(loader: String, script: String) {
    self.loader = loader
    sources = "\(loader.sourceOfPolicy) \(script.sourceOfPolicy)"
  }
}

extension String {
  /// The source expression of a content security policy that permits this text in a page.
  package var sourceOfPolicy: String { "'sha256-\(SHA256.digest(Array(utf8)).bytes.base64)'" }

  /// This text for the content of an element or the value of an attribute in HTML.
  package var escapingHTML: String {
    replacingControls { _ in "\u{FFFD}" }.escapingMarkup(inside: "\"")
  }
}
