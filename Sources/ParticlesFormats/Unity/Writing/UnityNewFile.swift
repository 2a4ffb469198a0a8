internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The text of a new prefab, and its materials. Identifiers of files follow from their contents.
struct UnityNewFile {
  struct Picture: Hashable {
    let name: String
    let guid: String
  }

  /// The parts of a material. Emitters with equal ones share it.
  private struct Look: Hashable {
    let blend: Blend
    let picture: Picture?
    let brightness: Double
    let region: Rectangle?
  }

  private let system: ParticleSystem
  private let stem: String
  private var materials: [Look: String] = [:]
  private var names: Set<String> = []
  private var objects: [(index: Int, tree: [UnityPlace.Part: JSONValue])] = []

  init(_ system: ParticleSystem, fileName: String) {
    self.system = system
    stem = Files.stem(of: fileName)
  }

  /// Whether the game object of the only emitter is the root. The place of a root means nothing.
  var hasOneObject: Bool {
    system.emitters.count == 1 && system.emitters[0].transform.translation == .zero
  }

  // MARK: Identifiers

  /// The identifier of a file, of its contents.
  static func guid(of bytes: [UInt8]) -> String {
    String(SHA256.digest(bytes).description.prefix(32))
  }

  /// The number of an object of an emitter.
  static func id(_ kind: UnityObject.Kind, _ index: Int) -> Int64 {
    Int64(kind.rawValue * 100_000 + 2 * (index + 1))
  }

  static func meta(of name: String, guid: String) -> [UInt8] {
    let kind = Files.pathExtension(of: name).lowercased()
    let importer: JSONObject =
      switch kind {
      case "prefab":
        ["PrefabImporter": ["externalObjects": .object(JSONObject())]]
      case "mat":
        [
          "NativeFormatImporter": [
            "externalObjects": .object(JSONObject()), "mainObjectFileID": .int(2_100_000),
          ]
        ]
      default:
        [
          "TextureImporter": [
            "serializedVersion": .int(11),
            "mipmaps": ["enableMipMap": .int(1), "sRGBTexture": .int(1)],
            "textureSettings": [
              "serializedVersion": .int(2), "filterMode": .int(1), "wrapU": .int(1),
              "wrapV": .int(1), "wrapW": .int(1),
            ], "nPOTScale": .int(0), "alphaUsage": .int(1), "alphaIsTransparency": .int(1),
            "textureType": .int(0),
          ]
        ]
      }
    var value: JSONObject = ["fileFormatVersion": .int(2), "guid": .string(guid)]
    for member in importer.members { value[member.key] = member.value }
    return Array((UnityText().members(value, column: 0) + "\n").utf8)
  }

  // MARK: Materials

  /// A reference to the material of an emitter. Emitters that look alike share a material.
  mutating func material(of index: Int, _ picture: Picture?, _ exported: inout Exported)
    -> JSONValue
  {
    let emitter = system.emitters[index]
    let sprite = emitter.sprites.first.flatMap {
      system.sprites.indices.contains($0) ? system.sprites[$0] : nil
    }
    let color = emitter.color
    let look = Look(
      blend: emitter.render.blend.named, picture: picture,
      brightness: color.hasPlainIntensity ? color.intensity.from.mean : 1, region: sprite?.region)
    if let known = materials[look] { return UnityReference.value(2_100_000, guid: known, type: 2) }
    let image = sprite.flatMap {
      system.images.indices.contains($0.image) ? system.images[$0.image] : nil
    }
    let name = claim(
      "\(picture.map { Files.stem(of: $0.name) } ?? stem)-\(look.blend.mode.rawValue)")
    let bytes = Self.asset([
      (.material, 2_100_000, "Material", Self.material(name, look, image))
    ])
    let guid = Self.guid(of: bytes)
    materials[look] = guid
    exported.beside["\(name).mat"] = bytes
    exported.beside["\(name).mat.meta"] = Self.meta(of: "\(name).mat", guid: guid)
    return UnityReference.value(2_100_000, guid: guid, type: 2)
  }

  private mutating func claim(_ name: String) -> String {
    var (unique, number) = (name, 2)
    while !names.insert(unique.lowercased()).inserted {
      unique = "\(name)-\(number)"
      number += 1
    }
    return unique
  }

  /// The numbers of a blending (`BlendMode`, `BlendOp`), and the mode of Unity's shader.
  private static func factors(of blend: Blend) -> (source: Int, destination: Int, mode: Int) {
    switch blend.mode {
    case .alpha: (5, 10, 2)
    case .add: (5, 1, 4)
    case .subtract: (5, 1, 5)
    case .multiply: (2, 0, 6)
    case .screen: (1, 6, 2)
    case .premultiplied: (1, 10, 2)
    case .replace: (1, 0, 0)
    case .multiplyAlpha: (2, 10, 6)
    case .multiplyX2: (2, 3, 6)
    case .custom:
      (
        blend.source.flatMap(UnityMaterial.factors.firstIndex) ?? 5,
        blend.destination.flatMap(UnityMaterial.factors.firstIndex) ?? 10, 2
      )
    }
  }

  /// A material with Unity's own shader for particles, `Particles/Standard Unlit`.
  private static func material(_ name: String, _ look: Look, _ image: ImageReference?) -> JSONValue
  {
    let (source, destination, mode) = factors(of: look.blend)
    var (scale, offset) = (Vector2(1, 1), Vector2(0, 0))
    if let region = look.region, let width = image?.width, let height = image?.height, width > 0,
      height > 0
    {
      let (width, height) = (Double(width), Double(height))
      scale = Vector2((region.width / width).rounded, (region.height / height).rounded)
      offset = Vector2(
        (region.x / width).rounded, (1 - (region.y + region.height) / height).rounded)
    }
    func pair(_ vector: Vector2) -> JSONValue { ["x": .real(vector.x), "y": .real(vector.y)] }
    let texture =
      look.picture.map { UnityReference.value(2_800_000, guid: $0.guid) }
      ?? UnityReference.value(10300, guid: UnityReference.builtIn, type: 0)
    let floats: KeyValuePairs<String, Int> = [
      "_BlendOp": look.blend.mode == .subtract ? 2 : 0, "_ColorMode": 0, "_Cull": 0,
      "_DstBlend": destination, "_Mode": mode, "_SrcBlend": source, "_ZWrite": 0,
    ]
    let white = look.brightness
    let keyword: String =
      switch look.blend.mode {
      case .replace: ""
      case .multiply, .multiplyAlpha, .multiplyX2: "_ALPHAMODULATE_ON"
      default: "_ALPHABLEND_ON"
      }
    return [
      "serializedVersion": .int(6), "m_ObjectHideFlags": .int(0),
      "m_CorrespondingSourceObject": none, "m_PrefabInstance": none, "m_PrefabAsset": none,
      "m_Name": .string(name),
      "m_Shader": UnityReference.value(211, guid: UnityReference.builtIn, type: 0),
      "m_ShaderKeywords": .string(keyword), "m_LightmapFlags": .int(4),
      "m_EnableInstancingVariants": .int(0), "m_DoubleSidedGI": .int(0),
      "m_CustomRenderQueue": .int(3000),
      "stringTagMap": ["RenderType": "Transparent"], "disabledShaderPasses": .array([]),
      "m_SavedProperties": [
        "serializedVersion": .int(3),
        "m_TexEnvs": .array([
          [
            "_MainTex": [
              "m_Texture": texture, "m_Scale": pair(scale), "m_Offset": pair(offset),
            ]
          ]
        ]),
        "m_Floats": .array(
          floats.map { .object(JSONObject(members: [.init(key: $0.key, value: .int($0.value))])) }),
        "m_Colors": .array([
          [
            "_Color": [
              "r": .real(white), "g": .real(white), "b": .real(white), "a": .int(1),
            ]
          ]
        ]),
      ],
    ]
  }

  // MARK: The prefab

  mutating func add(_ tree: [UnityPlace.Part: JSONValue], _ index: Int) {
    objects.append((index, tree))
  }

  private static let none: JSONValue = ["fileID": .int(0)]

  /// The members that every object of a prefab begins with.
  private static var heading: JSONObject {
    [
      "m_ObjectHideFlags": .int(0), "m_CorrespondingSourceObject": none,
      "m_PrefabInstance": none, "m_PrefabAsset": none,
    ]
  }

  private static func gameObject(
    _ tree: JSONValue, components: [Int64]
  ) -> JSONValue {
    var value = heading
    value["serializedVersion"] = .int(6)
    value["m_Component"] = .array(
      components.map { ["component": UnityReference.value($0)] })
    value["m_Layer"] = .int(0)
    value["m_Name"] = tree["m_Name"] ?? ""
    value["m_TagString"] = "Untagged"
    value["m_IsActive"] = tree["m_IsActive"] ?? .int(1)
    return .object(value)
  }

  private static func transform(
    _ tree: JSONValue, of owner: Int64, father: Int64?, children: [Int64] = [], order: Int = 0
  ) -> JSONValue {
    func vector(_ number: Int) -> JSONValue {
      ["x": .int(number), "y": .int(number), "z": .int(number)]
    }
    var value = heading
    value["m_GameObject"] = UnityReference.value(owner)
    value["m_LocalRotation"] =
      tree["m_LocalRotation"] ?? ["x": .int(0), "y": .int(0), "z": .int(0), "w": .int(1)]
    value["m_LocalPosition"] = tree["m_LocalPosition"] ?? vector(0)
    value["m_LocalScale"] = tree["m_LocalScale"] ?? vector(1)
    value["m_Children"] = .array(children.map { UnityReference.value($0) })
    value["m_Father"] = father.map { UnityReference.value($0) } ?? none
    value["m_RootOrder"] = .int(order)
    return .object(value)
  }

  private static func component(
    _ tree: JSONValue, of owner: Int64, version: Int
  ) -> JSONValue {
    var value = heading
    value["m_GameObject"] = UnityReference.value(owner)
    value["serializedVersion"] = .int(version)
    for member in tree.object?.members ?? [] { value[member.key] = member.value }
    return .object(value)
  }

  var bytes: [UInt8] {
    var documents: [(kind: UnityObject.Kind, id: Int64, name: String, body: JSONValue)] = []
    let (rootObject, rootTransform) = (Self.id(.gameObject, -1), Self.id(.transform, -1))
    let empty = JSONValue.object(JSONObject())
    if !hasOneObject {
      let name: JSONValue = ["m_Name": .string(stem)]
      let children = objects.map { Self.id(.transform, $0.index) }
      documents.append(
        (
          .gameObject, rootObject, "GameObject",
          Self.gameObject(name, components: [rootTransform])
        ))
      documents.append(
        (
          .transform, rootTransform, "Transform",
          Self.transform(empty, of: rootObject, father: nil, children: children)
        ))
    }
    for (index, tree) in objects {
      let owner = Self.id(.gameObject, index)
      let parts = [UnityObject.Kind.transform, .system, .systemRenderer].map { Self.id($0, index) }
      documents.append(
        (
          .gameObject, owner, "GameObject",
          Self.gameObject(tree[.gameObject] ?? empty, components: parts)
        ))
      documents.append(
        (
          .transform, parts[0], "Transform",
          Self.transform(
            tree[.transform] ?? empty, of: owner, father: hasOneObject ? nil : rootTransform,
            order: hasOneObject ? 0 : index)
        ))
      documents.append(
        (
          .system, parts[1], "ParticleSystem",
          Self.component(tree[.system] ?? empty, of: owner, version: UnityFormat.latest)
        ))
      documents.append(
        (
          .systemRenderer, parts[2], "ParticleSystemRenderer",
          Self.component(tree[.renderer] ?? empty, of: owner, version: 6)
        ))
    }
    return Self.asset(documents)
  }

  private static func asset(
    _ documents: [(kind: UnityObject.Kind, id: Int64, name: String, body: JSONValue)]
  ) -> [UInt8] {
    let text = UnityText()
    var result = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
    for (kind, id, name, body) in documents {
      result += "--- !u!\(kind.rawValue) &\(id)\n" + text.member(name, body, column: 0) + "\n"
    }
    return Array(result.utf8)
  }
}
