# Writes what Godot read of a scene: the properties of each particle node as JSON, curves and gradients at 17 places.
# Arguments after the script: --scene=PATH --out=PATH
extends SceneTree

var opts = {"scene": "", "out": ""}
var found = []

func plain(v):
	match typeof(v):
		TYPE_VECTOR2: return [v.x, v.y]
		TYPE_VECTOR3: return [v.x, v.y, v.z]
		TYPE_COLOR: return [v.r, v.g, v.b, v.a]
		TYPE_TRANSFORM: return [v.basis.x.x, v.basis.y.x, v.basis.z.x, v.basis.x.y, v.basis.y.y, v.basis.z.y, v.basis.x.z, v.basis.y.z, v.basis.z.z, v.origin.x, v.origin.y, v.origin.z]
		TYPE_VECTOR2_ARRAY, TYPE_VECTOR3_ARRAY, TYPE_COLOR_ARRAY, TYPE_REAL_ARRAY:
			var list = []
			for x in v:
				list.append(plain(x))
			return list
		TYPE_OBJECT: return resource(v)
	return v

func resource(v):
	if v == null:
		return null
	var list = []
	if v is CurveTexture:
		return resource(v.curve)
	if v is GradientTexture:
		return resource(v.gradient)
	if v is Curve:
		for i in 17:
			list.append(v.interpolate(i / 16.0))
		return list
	if v is Gradient:
		for i in 17:
			list.append(plain(v.interpolate(i / 16.0)))
		return list
	if v is AtlasTexture:
		return {"atlas": resource(v.atlas), "region": [v.region.position.x, v.region.position.y, v.region.size.x, v.region.size.y]}
	if v is Texture:
		return v.resource_path
	if v is CanvasItemMaterial or v is SpatialMaterial or v is ParticlesMaterial or v is QuadMesh:
		return properties(v)
	return v.get_class()

func properties(o):
	var result = {}
	for p in o.get_property_list():
		if p.usage & PROPERTY_USAGE_STORAGE and not p.name in ["script", "resource_path"]:
			result[p.name] = plain(o.get(p.name))
	return result

func collect(n):
	if n.get_class() in ["CPUParticles2D", "CPUParticles", "Particles2D", "Particles"]:
		var values = properties(n)
		# Hidden, but used, beside a ramp.
		if "color" in n:
			values["color"] = plain(n.color)
		found.append({"name": n.name, "class": n.get_class(), "values": values})
	for k in n.get_children():
		collect(k)

func _initialize():
	for a in OS.get_cmdline_args():
		if a.begins_with("--") and "=" in a:
			var kv = a.substr(2).split("=", true, 1)
			opts[kv[0]] = kv[1]
	ResourceLoader.set_abort_on_missing_resources(false)
	var res = load(opts.scene)
	if res == null or not res is PackedScene:
		printerr("values.gd: cannot load " + opts.scene)
		quit(1)
		return
	var root = res.instance()
	collect(root)
	var f = File.new()
	f.open(opts.out, File.WRITE)
	f.store_string(JSON.print(found))
	f.close()
	root.free()
	quit(0)
