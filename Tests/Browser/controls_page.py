"""A page with the controls of the editor and a session of its own, served with the policy of the real pages."""

import contextlib, functools, http.server, json, pathlib, re, struct, subprocess, threading, urllib.parse, zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Sources/ParticlesBrowser/Pages"
HERE = ROOT / "Tests/Browser"
POLICY = re.search(r'"(default-src.*?)"\s*\+\s*"(.*?)"\s*\+\s*"(.*?)"', (ROOT / "Sources/ParticlesBrowser/Server/RequestGuard.swift").read_text(), re.S)
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png"}

# Ranges of sliders are pinned, so that what a drag of some pixels does is known, whatever the tables state.
PINNED = {
    "emitters[].emission.rate": {"usual": [0, 500], "step": 1, "scale": "linear"},
    "emitters[].launch.spread": {"usual": [0, 180], "step": 1, "scale": "linear"},
    "emitters[].launch.speed": {"usual": [0, 500], "step": 1, "scale": "linear"},
    "emitters[].lifetime": {"usual": [0, 10], "step": 0.1, "scale": "linear"},
    "emitters[].emission.explosiveness": {"usual": [0, 1], "step": 0.01, "scale": "linear"},
    "emitters[].emission.maxAlive": {"usual": [0, 2000], "step": 10, "scale": "linear"},
    "emitters[].size.width": {"usual": [0, 200], "step": 1, "scale": "linear"},
    "emitters[].transform.angle": {"usual": [-180, 180], "step": 1, "scale": "linear"},
    "emitters[].transform.translation": {"usual": [-200, 200], "step": 1, "scale": "linear"},
}


def schema(tool):
    """The rows as the editor gets them: the rows of `edit --list`, with numbers for their ranges."""
    keys = json.loads(subprocess.run([tool, "edit", "--list", "--json"], capture_output=True, check=True).stdout)["keys"]
    rows = []
    for row in keys:
        row = dict(row, standard=row.get("default"), values=re.findall(r'"([^"]+)"', row["type"]))
        bounds = row.get("range") if isinstance(row.get("range"), str) else ""
        if match := re.match(r"(?:at least|more than) (\S+)$", bounds): row["minimum"] = float(match[1])
        if match := re.match(r"(\S+) to (\S+)$", bounds): row["minimum"], row["maximum"] = float(match[1]), float(match[2])
        row.pop("range", None)
        if row["key"] in PINNED: row.update(PINNED[row["key"]])
        rows.append(row)
    return rows


def png(width, height, shade):
    """A picture of a colour, brighter in the middle."""
    lines = b""
    for y in range(height):
        lines += b"\0"
        for x in range(width):
            near = max(0, 1 - ((x / width * 2 - 1) ** 2 + (y / height * 2 - 1) ** 2) ** 0.5)
            lines += bytes([*shade, int(255 * near)])
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def texts(language, part):
    """The texts of a part of the pages, as the program sends them."""
    sections = {"labels": json.loads((HERE / "editor-labels.json").read_text())} | json.loads((PAGES / f"{language}.json").read_text())
    if part == "editor": tables = {"pages": sections["editor"]} | {name: sections.get(name, {}) for name in ("labels", "values", "descriptions")}
    else: tables = {name: sections.get(name, {}) for name in (("pages",) if part == "pages" else ("rules", "words", "comments"))}
    return json.dumps(tables).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        body = self.server.contents.get(path) if path != "/texts" else texts(**dict(urllib.parse.parse_qsl(query)))
        kind = pathlib.PurePosixPath(path).suffix
        if body is None:
            for prefix, folder in (("/assets/", PAGES), ("/test/", HERE)):
                file = folder / path.removeprefix(prefix)
                if path.startswith(prefix) and ".." not in path and file.is_file(): body = file.read_bytes()
        if body is None: return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", TYPES.get(kind, "text/html; charset=utf-8"))
        self.send_header("Content-Security-Policy", "".join(POLICY.groups()))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def server(tool):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        served.contents = {
            "/": (HERE / "editor-controls.html").read_bytes(), "/schema.json": json.dumps(schema(tool)).encode(), "/effect.json": (HERE / "editor-effect.json").read_bytes(),
            "/images/flame.png": png(64, 64, (255, 150, 40)), "/images/sheet.png": png(64, 32, (255, 220, 120)), "/images/smoke.png": png(64, 64, (120, 115, 120)),
        }
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_address[1]}/"
        served.shutdown()
