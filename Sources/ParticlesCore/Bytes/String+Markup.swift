extension String {
  /// This text with the special characters of XML and HTML, and other control characters than line feeds
  /// and tabs, as references. Characters that XML cannot represent become U+FFFD.
  /// - Parameter quote: the quotes around the value of an attribute, or nil for the content of an element.
  package func escapingMarkup(inside quote: Unicode.Scalar? = nil) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where quote == "\"": result += "&quot;"
      case "'" where quote == "'": result += "&apos;"
      case "\t" where quote != nil, "\n" where quote != nil: result += "&#\(scalar.value);"
      // Otherwise a reader would turn it into a line feed.
      case "\r": result += "&#13;"
      case "\u{0}"..<"\t", "\u{B}"..<"\r", "\u{E}"..<" ", "\u{FFFE}", "\u{FFFF}":
        result += "\u{FFFD}"
      case _ where scalar.isControl && scalar != "\t" && scalar != "\n":
        result += "&#x\(String(scalar.value, radix: 16));"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
