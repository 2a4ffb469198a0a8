internal import ParticlesCore

/// A mounted file system.
package struct MountPoint: Sendable, Hashable {
  /// The path of its topmost folder.
  package var path: String
  /// The type, such as `ext4`.
  package var type: String
  /// The device, or another source.
  package var source: String
  /// Whether it is mounted for reading only.
  package var isReadOnly: Bool

  /// The types that hold no files of users, or may wait without end.
  private static let others: Set = [
    "proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "mqueue", "debugfs", "tracefs",
    "securityfs", "pstore", "bpf", "configfs", "fusectl", "hugetlbfs", "autofs", "rpc_pipefs",
    "binfmt_misc", "nsfs", "efivarfs", "ramfs", "squashfs",
  ]

  /// The mounted file systems that can hold files of users, by `/proc/self/mountinfo`; none where there is no such file.
  package static func all() -> [MountPoint] {
    let bytes = try? OpenFile(reading: "/proc/self/mountinfo").readToEnd(limits: .standard)
    return read(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  /// Reads the text of `mountinfo`.
  package static func read(_ text: String) -> [MountPoint] {
    var points: [MountPoint] = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 2 < fields.count else {
        continue
      }
      let type = String(fields[dash + 1])
      guard !others.contains(type) else { continue }
      points.append(
        MountPoint(
          path: unescaped(fields[4]), type: type, source: unescaped(fields[dash + 2]),
          isReadOnly: fields[5].split(separator: ",").contains("ro")))
    }
    return points
  }

  /// Volumes that a user attaches: below `/media`, `/run/media` and `/mnt`.
  package var isVolume: Bool {
    ["/media/", "/run/media/", "/mnt/"].contains { path.hasPrefix($0) }
  }

  /// Decodes octal escapes of white space and backslashes.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
