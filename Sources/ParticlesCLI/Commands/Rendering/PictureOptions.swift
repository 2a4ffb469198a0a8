internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesRender

/// The frame and the background of pictures, which are chosen by what can be seen, or set by options.
extension Option {
  static let background = Option(
    "background", value: .text("colour"),
    default: "that of the preview, dark, middle or light: what shows most",
    "The colour behind the particles: a name of CSS such as black, #202028, dark, middle, light, or "
      + "transparent.")
  static let camera = Option(
    "camera", value: .text("view"), default: "automatic",
    "What is in view: all that can be seen (automatic), the plane from the front (plane), space as "
      + "SceneKit's templates show it (space), one unit to a pixel (pixels); or a camera: the middle and "
      + "the height of what it shows of the plane (X,Y,HEIGHT), or as --json states it.")
}

extension Invocation {
  /// The background of `--background`; nil without it.
  func pictureBackground() throws -> EffectAnimation.Background? {
    guard let text = value(.background) else { return nil }
    switch text {
    case "automatic": return .automatic
    case "transparent": return .transparent
    case "dark": return .color(EffectRenderer.dark)
    case "middle": return .color(EffectRenderer.middle)
    case "light": return .color(EffectRenderer.light)
    default: break
    }
    guard let color = ParticleSystem.Color(text: text) else {
      throw UsageError(
        "'\(text)' is not a colour",
        hint: "use dark, middle, light, transparent, a name of CSS such as black, or #202028")
    }
    return .color(color)
  }

  /// The view of `--camera`; nil without it.
  func pictureView() throws -> EffectRenderer.View? {
    guard let text = value(.camera) else { return nil }
    switch text {
    case "automatic": return .automatic
    case "plane": return .plane
    case "space": return .space
    case "pixels": return .pixels
    default: break
    }
    if text.hasPrefix("{"), let json = try? JSONParser.parse(Array(text.utf8)) {
      do {
        return .camera(try ParticleSystem.Camera(json: json, at: .root))
      } catch {
        throw UsageError("--camera: \(error.message)", hint: "use a camera as --json states it")
      }
    }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let values = numbers.compactMap(\.self)
    guard values.count == 3, numbers.count == 3, values.allSatisfy(\.isFinite), values[2] > 0 else {
      throw UsageError(
        "'\(text)' is not a camera",
        hint: "use automatic, plane, space, pixels, X,Y,HEIGHT such as 0,100,300, or a camera as "
          + "--json states it")
    }
    var camera = ParticleSystem.Camera()
    camera.position = ParticleSystem.Vector(values[0], values[1], 0)
    camera.target = camera.position
    camera.orthoHeight = values[2]
    return .camera(camera)
  }
}

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
