"""Chromium with a software renderer, and a server of this folder, for the tests of the player."""

import contextlib, functools, http.server, os, pathlib, shutil, threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# WebGL is drawn by SwiftShader. Pages are put together by software, as on a machine without a graphics processor: SwiftShader
# takes 120 ms for a frame of the editor, in which the processors do nothing else.
ARGUMENTS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-compositing", "--no-sandbox"]


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".js": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *arguments): pass

    def translate_path(self, path):
        path = path.split("?")[0]
        for prefix, folder in self.server.folders.items():
            if path.startswith(prefix): return str(folder / path[len(prefix):])
        return super().translate_path(path)


@contextlib.contextmanager
def server(folders={}):
    """Serves the sources, and other folders at prefixes such as "/effects/"."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(ROOT))) as server:
        server.folders = {prefix: pathlib.Path(folder) for prefix, folder in folders.items()}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@contextlib.contextmanager
def browser(**options):
    from playwright.sync_api import sync_playwright
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS + options.pop("args", []), **options)
        yield browser
        browser.close()
