"""The tool with a home of its own, its pages in Chromium, and helpers for tests that look at them."""

import contextlib, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, time

failures = []
# A factor of all times that are waited, for machines with much other work.
PATIENCE = float(os.environ.get("PARTICLES_PATIENCE", 1))
# A shell that starts this in the background lets it ignore control-C, and programs that are started from here would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def check(condition, text):
    print("ok" if condition else "FAILED", text, flush=True)
    if not condition: failures.append(text)
    return condition


def check_again(again, before):
    """A new start has the port of its predecessor, where open pages look for it, and a new secret."""
    (port, secret), (old_port, old) = [re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{64})/", each).groups() for each in (again, before)]
    check(port == old_port and secret != old, "a restart has the same port, and another secret")


def attempt(name, part, *values):
    """Runs a part of a test, with its time. An error is a failure, and all further parts run, too."""
    print(f"-- {name}", flush=True)
    begin = time.perf_counter()
    try: part(*values)
    except Exception as error: check(False, f"{name}: {type(error).__name__}: {str(error)[:600]}")
    print(f"   {time.perf_counter() - begin:.1f} s", flush=True)


def report():
    """Ends the test with the number of failures."""
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


@contextlib.contextmanager
def tool_of(path):
    """The tool with a home that is removed afterwards."""
    tool = Tool(str(pathlib.Path(path).resolve()), tempfile.mkdtemp(prefix="particles-browser-"))
    try: yield tool
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(tool.home, ignore_errors=True)


class Tool:
    """A user with a home of its own, and the browser that runs in it."""

    def __init__(self, tool, folder):
        self.tool, self.home = tool, pathlib.Path(folder)
        self.effects = self.home / "effects"
        self.effects.mkdir(parents=True)
        (self.home / "run").mkdir(mode=0o700)
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
        }
        self.process = None

    def run(self, *arguments, **options):
        return subprocess.run([self.tool, *map(str, arguments)], env=self.environment, capture_output=True, text=True, timeout=60, **options)

    def start(self, *arguments):
        """Starts `browse`, and returns its address and the seconds until it was printed."""
        # A flow that failed has left its program running. The next flow would get the answers of that program.
        self.end(signal.SIGKILL)
        begin = time.perf_counter()
        self.process = subprocess.Popen([self.tool, *map(str, arguments)], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        stream = self.process.stderr if arguments[0] == "pick" else self.process.stdout
        address = stream.readline().strip()
        return address, time.perf_counter() - begin

    def end(self, number=signal.SIGINT):
        if self.process is None: return None
        self.process.send_signal(number)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process = None

    def memory(self, pid=None):
        """Resident bytes without files, of a process."""
        text = pathlib.Path(f"/proc/{pid or self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) << 10

    def ticks(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


def page_of(chromium, address, width=1280, height=800, **options):
    context = chromium.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **options)
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if "Content Security Policy" in message.text or "Refused" in message.text else None)
    page.outside = []
    page.on("request", lambda request: page.outside.append(request.url) if not request.url.startswith((address.split("/", 3)[0] + "//127.0.0.1", "blob:", "data:")) else None)
    page.goto(address)
    page.wait_for_selector("#collection [role=option], #empty:not([hidden])")
    return page


def finish(page):
    """Ends a flow: the page had no errors, and is closed."""
    check(not page.faults, f"no errors in the page: {page.faults}")
    page.context.close()


def leave(page):
    """Leaves the open document by its button, as Escape never does. Closes a sheet above the list."""
    full = page.locator("dialog.full[open] > header > button").first
    if full.count(): full.click()
    else: page.keyboard.press("Escape")


def until(page, condition, value=None, timeout=10000):
    """Waits for a condition. What Playwright has for that evaluates texts in the page, which the policy forbids."""
    end = time.monotonic() + timeout / 1000 * PATIENCE
    while not page.evaluate(condition, value):
        if time.monotonic() > end: raise TimeoutError(f"never: {condition}")
        page.wait_for_timeout(40)


def tile(name): return f'#collection [role=option][aria-label^="{name}"]'


def names(page): return page.eval_on_selector_all("#collection [role=option] .name", "all => all.map((each) => each.textContent)")
