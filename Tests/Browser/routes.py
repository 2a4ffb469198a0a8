"""The routes of a running `browse` or `edit --window`, without a web browser."""

import json, pathlib, secrets, time, urllib.error, urllib.parse, urllib.request


class Refused(Exception):
    """An answer that is a failure: its status, and its diagnostic."""

    def __init__(self, status, text):
        try: self.diagnostic = json.loads(text)
        except ValueError: self.diagnostic = {"message": text.decode(errors="replace")}
        self.status, self.code = status, self.diagnostic.get("code")
        super().__init__(f"{status} {self.code}: {self.diagnostic.get('message', '')}")


class Client:
    """Asks a running `browse`."""

    def __init__(self, address):
        self.address = address
        parts = urllib.parse.urlsplit(address)
        self.port, self.secret = parts.port, parts.path.strip("/")
        self.windows = 0

    def bytes(self, route, data=None, timeout=60, **values):
        """The answer to a question with these values, or to an order with a body of bytes."""
        query = "?" + urllib.parse.urlencode(values) if values else ""
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + route + query, data), timeout=timeout) as answer: return answer.read()
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read()) from None

    def ask(self, route, body=None, **options):
        return json.loads(self.bytes(route, None if body is None else json.dumps(body).encode(), **options))

    def place(self): return self.ask("state?window=judge")["place"]

    def rows(self, place): return self.ask(f"list?location={place}")["items"]

    def find(self, path, seconds=5):
        """The identity of the item at a path. The program may hear of a new item a moment later."""
        end = time.monotonic() + seconds
        while True:
            try: return self.ask("find", {"path": str(path)})["id"]
            except Refused:
                if time.monotonic() > end: raise
                time.sleep(0.1)

    def open(self, path):
        self.windows += 1
        return Opened(self, path, f"judge {self.windows}")


class Opened:
    """An effect in the editor of a window of its own."""

    def __init__(self, client, path, window):
        self.client, self.path, self.window = client, pathlib.Path(path), window
        self.item = client.find(path)
        self.update(client.ask("edit-open", {"item": self.item, "window": window}))

    def update(self, state):
        if "text" in state: self.text, self.revision = state["text"], state["revision"]
        if "files" in state: self.files, self.format, self.conflict = state["files"], state.get("format"), state.get("conflict")
        if "document" in state: self.states = state["document"]["states"]
        if "undo" in state: self.undo_names = state["undo"]
        return state

    @property
    def document(self): return json.loads(self.text)

    def again(self): return self.update(self.client.ask("edit-open", {"item": self.item, "window": self.window}))

    def make(self, **values):
        """Makes an edit, with an identity of its own. The revision is not named, so that the answer has the whole text."""
        return self.update(self.client.ask("edit", {"item": self.item, "window": self.window, "id": secrets.token_hex(16), "name": "Judge", **values}))

    def edit(self, **values):
        """Changes properties, given by their keys."""
        return self.make(changes=[{"key": key, "value": value} for key, value in values.items()])

    def relative(self, key, change):
        """Changes a number, or the numbers of a range, such as by "*1.5" or "+10"."""
        return self.make(changes=[{"key": key, "relative": change}])

    def value(self, key):
        """The value of a key such as `emitters[0].lifetime`, or nothing where it is not stated."""
        found = self.document
        for part in key.replace("[", ".").replace("]", "").split("."):
            try: found = found[int(part)] if part.isdigit() else found[part]
            except (KeyError, IndexError, TypeError): return None
        return found

    def undo(self): return self.make(kind="undo", count=1)

    def save(self, way="save"): return self.update(self.client.ask("edit-save", {"item": self.item, "way": way}))

    def losses(self): return self.client.ask("edit-losses", item=self.item)

    def findings(self): return self.client.ask("edit-findings", item=self.item)["findings"]

    def put(self, path, data): return self.update(json.loads(self.client.bytes("edit-file", data, item=self.item, path=path, id=secrets.token_hex(16))))

    def close(self): self.client.ask("close", {"window": self.window})
