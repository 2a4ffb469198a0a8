internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesRender

extension PictureView {
  /// Moment, camera, background and speed, with the names of the options that set them.
  var json: JSONObject {
    var object: JSONObject = ["start": .double(start), "camera": camera.json]
    object["background"] = .string(background?.hexadecimal ?? "transparent")
    if let speed { object["speed"] = .double(speed) }
    return object
  }

  /// This, added to the members of a row.
  func adding(to row: JSONObject) -> JSONValue {
    var row = row
    for member in json.members { row[member.key] = member.value }
    return .object(row)
  }
}
