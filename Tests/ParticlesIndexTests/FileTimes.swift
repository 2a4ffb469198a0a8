import Foundation

/// Sets the time of the last change of a file or folder, in seconds since 1970.
func setModified(_ path: String, _ seconds: Double) throws {
  try FileManager.default.setAttributes(
    [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
}
