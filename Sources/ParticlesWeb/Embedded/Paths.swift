// In place of paths whose bytes are not UTF-8, in the module for web pages: pages open no files.

package enum RawPath {
  package static func shown(_ path: String) -> String { path }
}
