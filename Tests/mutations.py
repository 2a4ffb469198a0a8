"""Finds places in sources in Swift, JavaScript and Python where a small fault can be planted, for mutants.py."""

import functools, io, re, sys, tokenize

OPERATORS = ["swapped comparison", "off by one", "dropped guard", "wrong constant", "dropped call"]


def is_compiled(condition):
    """Whether the condition of an `#if` holds in the tests on this system."""
    is_darwin = sys.platform == "darwin"
    names = {"canImport(Darwin)": is_darwin, "os(macOS)": is_darwin, "os(Linux)": not is_darwin,
             "canImport(Glibc)": not is_darwin, "canImport(System)": is_darwin,
             "FUZZING": False, "canImport(Musl)": False, "PARTICLES_THREAD_SANITIZER": False, "hasFeature(Embedded)": False}
    return all(names.get(word.lstrip("!"), True) != word.startswith("!") for word in condition.split(" && "))


def without_inactive(mask):
    """Blanks the lines that `#if` excludes. `#` in a string is a quotation mark by now."""
    lines, stack = mask.split("\n"), []
    for index, line in enumerate(lines):
        word, _, condition = line.strip().partition(" ")
        if word == "#if":
            holds = is_compiled(condition)
            stack.append([holds, holds])
        elif word == "#elseif" and stack:
            holds = not stack[-1][1] and is_compiled(condition)
            stack[-1] = [holds, stack[-1][1] or holds]
        elif word == "#else" and stack:
            stack[-1] = [not stack[-1][1], True]
        elif word == "#endif" and stack:
            stack.pop()
        elif all(holds for holds, _ in stack):
            continue
        lines[index] = " " * len(line)
    return "\n".join(lines)


def blanked(text, spans):
    """The text with other characters, but the ends of lines, in these ranges."""
    result = list(text)
    for start, end, mark in spans:
        for index in range(start, min(end, len(text))):
            if result[index] != "\n":
                result[index] = mark
    return "".join(result)


@functools.cache
def masked(text, language):
    """The text with comments, excluded code and attributes as blanks, and strings as quotation marks."""
    return {"swift": masked_swift, "js": masked_js, "py": masked_python}[language](text)


def masked_python(text):
    lines, spans = [0] + [match.end() for match in re.finditer("\n", text)], []
    for kind, word, first, last, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind in (tokenize.STRING, tokenize.COMMENT):
            spans.append([lines[row - 1] + column for row, column in (first, last)] + [" " if word[0] == "#" else '"'])
    return blanked(text, spans)


def masked_js(text):
    spans, index = [], 0
    plain = re.compile(r"""//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])*'""", re.DOTALL)
    expression = re.compile(r"/(?![*/])(\\.|\[(\\.|[^\]\\\n])*\]|[^/\\\n])+/[a-z]*")

    def template(index):
        """The end of the template that begins here, with those in its expressions."""
        index += 1
        while text[index] != "`":
            if text.startswith("${", index):
                depth = 0
                while True:
                    depth += {"{": 1, "}": -1}.get(text[index], 0)
                    match = plain.match(text, index)
                    index = match.end() if match else template(index) if text[index] == "`" else index + 1
                    if depth == 0 and text[index - 1] == "}":
                        break
            else:
                index += 2 if text[index] == "\\" else 1
        return index + 1

    while index < len(text):
        match = plain.match(text, index) if text[index] in "/\"'" else None
        if not match and text[index] == "/" and re.search(r"(^|[-+(,=:\[!&|?{};>]|\breturn)\s*$", text[max(0, index - 20):index]):
            match = expression.match(text, index)
        end = match.end() if match else template(index) if text[index] == "`" else index + 1
        if end > index + 1:
            spans.append((index, end, " " if text.startswith(("//", "/*"), index) else '"'))
        index = end
    return blanked(text, spans)


def masked_swift(text):
    spans = []

    def string(start):
        """The end of the string literal that begins here."""
        hashes = len(re.match("#*", text[start:]).group())
        quote = '"""' if text.startswith('"""', start + hashes) else '"'
        end, escape = quote + "#" * hashes, "\\" + "#" * hashes
        index = start + hashes + len(quote)
        while index < len(text):
            if text.startswith(end, index):
                return index + len(end)
            if text.startswith(escape + "(", index):
                index = interpolation(index + len(escape))
            elif text.startswith(escape, index):
                index += len(escape) + 1
            else:
                index += 1
        return index

    def interpolation(index):
        """The end of the parentheses that begin here."""
        depth = 0
        while index < len(text):
            if re.match('#*"', text[index:index + 8]):
                index = string(index)
                continue
            depth += {"(": 1, ")": -1}.get(text[index], 0)
            index += 1
            if depth == 0:
                break
        return index

    index = 0
    while index < len(text):
        start = index
        if text.startswith("//", index):
            index = text.find("\n", index) % (len(text) + 1)
            spans.append((start, index, " "))
        elif text.startswith("/*", index):
            index = text.find("*/", index) + 2
            spans.append((start, index, " "))
        elif re.match('#*"', text[index:index + 8]):
            index = string(index)
            spans.append((start, index, '"'))
        elif match := re.compile(r"@\w+(\([^()]*\))?").match(text, index):
            index = match.end()
            spans.append((start, index, " "))
        else:
            index += 1
    return without_inactive(blanked(text, spans))


STOPS = re.compile(
    r"(&&|\|\||[?:=] | in |\b(guard|if|while|where|return|case|else|try|await|throw|let|var|in|is|as) )\s*$")


def operands(mask, start, end):
    """The range of the comparison whose operator is in start..<end, or None if it is not on one line."""
    line, line_end = mask.rfind("\n", 0, start) + 1, mask.find("\n", end)
    depth, left = 0, start
    while left > line:
        character = mask[left - 1]
        depth += {")": 1, "]": 1, "}": 1, "(": -1, "[": -1, "{": -1}.get(character, 0)
        if depth < 0 or depth == 0 and (character in ",;" or STOPS.search(mask[line:left])):
            break
        left -= 1
    if depth > 0:
        return None
    depth, right = 0, end
    while right < line_end:
        character = mask[right]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0 or depth == 0 and re.match(r",|;|\s(&&|\|\||[?:]\s|else\b)", mask[right:right + 6]):
            break
        if character == "{" and depth == 1:
            depth = 0
            break
        right += 1
    if depth > 0 or re.match(r"\s*([-+*/%.]|\?\?|as\b)", mask[line_end:] if right == line_end else ""):
        return None
    left += len(mask[left:start]) - len(mask[left:start].lstrip())
    right -= len(mask[end:right]) - len(mask[end:right].rstrip())
    if left >= start or right <= end or re.match(r"[-+*/%.?:&|] ?", mask[left:start]):
        return None
    return left, right


def conditions(mask, start, stop):
    """The ranges of the conditions after `guard` or `if` up to `stop`, and the end of the last one."""
    depth, first, index, found = 0, start, start, []
    while index < len(mask):
        if depth == 0 and (mask[index] == "," or stop.match(mask, index)):
            found.append((first, index))
            first = index + 1
            if mask[index] != ",":
                break
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mask[index], 0)
        if depth < 0:
            return [], index
        index += 1
    ranges = []
    for first, last in found:
        clause = mask[first:last]
        if not re.search(r"\b(let|var|case)\b|#|\bif\b|{", clause) and clause.strip():
            first += len(clause) - len(clause.lstrip())
            ranges.append((first, first + len(clause.strip())))
    return ranges, index


class Mutant:
    def __init__(self, file, text, start, end, faulty, operator):
        self.file, self.start, self.end, self.faulty, self.operator = file, start, end, faulty, operator
        self.original = text[start:end]
        self.line = text.count("\n", 0, start) + 1
        self.last = text.count("\n", 0, end) + 1
        self.source = text[text.rfind("\n", 0, start) + 1:].split("\n", 1)[0].strip()
        self.number = 0

    def __str__(self):
        original = " ".join(self.original.split())
        return f"{self.file}:{self.line}: {self.operator}: `{original}` " + (
            f"→ `{self.faulty}`" if self.faulty else "skipped")

    def switched(self):
        """Swift that is faulty if the mutant is selected."""
        if not self.faulty:
            return f"if !particlesMutant({self.number}) {{ {self.original} }}"
        return f"(particlesMutant({self.number}) ? ({self.faulty}) : ({self.original}))"


SWAPS = {
    "swift": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "js": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "==="},
}
SWAPS["py"] = SWAPS["swift"]
CALLS = {
    "swift": r"(?<=\n)( +)((?:try )?[a-z_][\w.?!]*\(.*\))(?=\n)",
    "js": r"(?<=\n)( +)((?:await )?[a-z_$][\w.?#$]*\(.*\);)(?=\n)",
    "py": r"(?<=\n)( +)([a-z_][\w.]*\(.*\))(?=\n)",
}
# The replacement of a dropped call, and the line before a call: not a line that goes on.
NOTHING = {"swift": "", "js": ";", "py": "pass"}
BEFORE = {"swift": r"([{}\])\"\w?!]|\belse)$", "js": r"[{};]$", "py": r"[\])\"\w:]$"}


def guards(mask, language):
    """The ranges of conditions under which the code goes on in vain, and what lets all pass."""
    if language == "swift":
        for match in re.finditer(r"\b(guard|if)\s", mask):
            is_guard = match[1] == "guard"
            ranges, end = conditions(mask, match.end(), re.compile(r"\selse\s*\{" if is_guard else r"\s\{"))
            if is_guard or re.match(r"\s\{\s*(throw|return|continue|break)\b", mask[end:end + 400]):
                yield from ((*span, "true" if is_guard else "false") for span in ranges)
    elif language == "py":
        for match in re.finditer(r"\n *(?:el)?if (.*):\n\s*(raise|return|continue|break)\b", mask):
            yield *match.span(1), "False"
    else:
        for match in re.finditer(r"\bif \(", mask):
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(mask[end], 0)
                end += 1
            if re.match(r"\s*\{?\s*(throw|return|continue|break)\b", mask[end:end + 400]):
                yield match.end(), end - 1, "false"


def candidates(file, text, operator):
    language = file.rsplit(".")[-1]
    mask = masked(text, language)
    found = []

    def make(start, end, faulty):
        found.append(Mutant(file, text, start, end, faulty, operator))

    if operator == "swapped comparison":
        for match in re.finditer(r"(?<= )([<>]=?|[=!]==?)(?= )", mask):
            line = mask[mask.rfind("\n", 0, match.start()) + 1:].split("\n", 1)[0]
            faulty = SWAPS[language].get(match[1])
            if not faulty or re.search(r"\b(func|extension|struct|enum|class|init|protocol|associatedtype)\b", line):
                continue
            span = operands(mask, match.start() - 1, match.end() + 1) if language == "swift" else match.span()
            if span:
                make(*span, text[span[0]:match.start()] + faulty + text[match.end():span[1]])
    elif operator in ("off by one", "wrong constant"):
        truths = {"true": "false", "false": "true", "True": "False", "False": "True"}
        for match in re.finditer(
                r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*(\.\d+)?|true|false|True|False)(?!\w|\.\d)", mask):
            literal = match[1]
            near = re.search(r"([-+<>=] |\.\.<|\.\.\.|[<>=]= |\[)$", mask[:match.start()][-4:])
            near = near and not re.search(r"(?<![<>=!]) = $", mask[:match.start()][-4:])
            is_whole = re.fullmatch(r"\d[\d_]*", literal)
            if (operator == "off by one") != bool(near and is_whole):
                continue
            if operator == "off by one":
                faulty = str(int(literal.replace("_", "")) + (1 if len(found) % 2 else -1))
            elif literal in truths:
                faulty = truths[literal]
            elif "." in literal:
                faulty = str(float(literal.replace("_", "")) * 2 or 1.0)
            else:
                faulty = str(int(literal.replace("_", ""), 0) * 2 or 1)
            make(match.start(), match.end(), faulty)
    elif operator == "dropped guard":
        for span in guards(mask, language):
            make(*span)
    else:
        for match in re.finditer(CALLS[language], mask):
            before = mask[:match.start()].rstrip()
            after = mask[match.end():match.end() + 200].lstrip()
            body = match[2].rstrip(";")
            depth, is_call = 0, "{" not in body
            for index, character in enumerate(body):
                depth += {"(": 1, ")": -1}.get(character, 0)
                is_call = is_call and (depth > 0 or index == len(body) - 1 or "(" not in body[:index])
            if is_call and depth == 0 and not body.startswith(("self.init", "super", "return", "precondition")) \
                    and re.search(BEFORE[language], before) and not re.match(r"[.+\-*/&|?:]", after):
                make(*match.span(2), NOTHING[language])
    return found
