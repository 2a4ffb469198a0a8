"""Makes effects that ask for much work or memory: fixtures whose emitters are repeated, chains of triggers, many images,
long curves. python3 Tests/heavy_inputs.py FOLDER writes all effects. `costs_rows.py` and a test use them."""

import json, pathlib, re, struct, sys, zlib

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"

# The number of emitters. Numbers of images and keys are in proportion.
COUNT = 2000


def document(emitters, **more):
    effect = {"asset": {"version": "1.0", "generator": "particles", "name": "Heavy"}, "emitters": emitters} | more
    return json.dumps(effect).encode()


def emitter(name="e", **more):
    return {"name": name, "emission": {"rate": 20}, "lifetime": 1, "launch": {"speed": 50, "spread": 180},
            "size": {"width": {"from": 8}}} | more


def png(width, height, value=200):
    """A picture of one colour. It is small however many pixels it has."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress((b"\0" + bytes([value, 120, 40, 255]) * width) * height, 9)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def repeated(name, between):
    text = (FIXTURES / "effects" / name).read_text().strip("\n")
    return (between.join([text] * COUNT) + "\n").encode()


def phaser():
    emitters = json.loads((FIXTURES / "effects/phaser/pair.json").read_text())
    return json.dumps(emitters * (COUNT // 2)).encode()


def quarks():
    scene = json.loads((FIXTURES / "effects/quarks/torch.json").read_text())
    scene["object"]["children"] *= COUNT // 4
    return json.dumps(scene).encode()


def godot():
    head, *nodes = re.split(r"(?=\[node )", (FIXTURES / "effects/godot/torch.tscn").read_text())
    root, *emitters = nodes
    many = [re.sub(r'name="(\w+)"', rf'name="\g<1>{n}"', node, count=1) for n in range(COUNT // 4) for node in emitters]
    return (head + root + "".join(many)).encode()


def love():
    text = (FIXTURES / "effects/love/torch.lua").read_text()
    systems = re.findall(r"local ps = .*?\ntable\.insert[^\n]*\n", text, re.S)
    start = text.index(systems[0])
    end = text.rindex(systems[-1]) + len(systems[-1])
    return (text[:start] + "\n".join(systems * (COUNT // 4)) + text[end:]).encode()


def effekseer(depth):
    """Nodes in nodes: each particle of one node emits particles of the next while it lives."""
    text = (FIXTURES / "effekseer/sparks.efkproj").read_text()
    start = text.index("<Node>")
    node = text[start:text.index("<Children>", start)]
    chain = (node + "<Children>") * (depth - 1) + node + "</Node>" + "</Children></Node>" * (depth - 1)
    end = text.rindex("</Children>")
    return (text[:start] + chain + text[end:]).encode()


def chain(count, event, **trigger):
    emitters = [emitter(f"e{n}", triggers=[{"event": event, "emitter": n + 1, "inherit": ["position"]} | trigger])
                for n in range(count - 1)]
    return document(emitters + [emitter("last")])


def pictures(count, size):
    """A package in a folder whose emitters show an image each."""
    files = {f"Images/{n}.png": png(size, size, n % 256) for n in range(count)}
    names = list(files)
    emitters = [emitter(f"e{n}", sprites=[n], size={"width": {"from": 400}}) for n in range(count)]
    files["document.json"] = document(
        emitters, images=[{"uri": name} for name in names], sprites=[{"image": n} for n in range(count)])
    return files


def curve(count):
    keys = [[n / (count - 1), n % 7 / 7] for n in range(count)]
    return {"from": 0, "to": 20, "curve": {"keys": keys}}


FILES = {
    "defold.particlefx": lambda: repeated("defold/torch.particlefx", "\n"),
    "libgdx.p": lambda: repeated("libgdx/torch.p", "\n\n\n"),
    "phaser.json": phaser,
    "quarks.json": quarks,
    "godot.tscn": godot,
    "love.lua": love,
    "nested.efkproj": lambda: effekseer(12),
}
PACKAGES = {
    "emitters": lambda: {"document.json": document([emitter(f"e{n}") for n in range(COUNT)])},
    "chain": lambda: {"document.json": chain(8, "birth")},
    "living": lambda: {"document.json": chain(6, "living")},
    "images": lambda: pictures(COUNT * 3 // 20, 512),
    "image": lambda: pictures(1, 5000),
    "curves": lambda: {"document.json": document([emitter(f"e{n}", size={"width": curve(COUNT * 5 // 2)}) for n in range(20)])},
    "frames": lambda: {"document.json": document([emitter(emission={"rate": 20000}, lifetime=30)],
                                                 preview={"duration": 600, "warmup": 3600})},
}


def make(folder, names=None, count=2000):
    """Makes the inputs with these names, or all, in a folder. Packages have the form of a folder."""
    global COUNT
    COUNT = count
    for name, contents in FILES.items():
        if names is None or name in names:
            (folder / name).write_bytes(contents())
    for name, contents in PACKAGES.items():
        if names is not None and name not in names:
            continue
        for path, data in contents().items():
            path = folder / f"{name}.particles" / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    make(folder, set(sys.argv[2:]) or None)
