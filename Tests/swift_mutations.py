"""Finds places in Swift sources where a small fault can be planted; for mutants.py."""

import bisect, re, sys

OPERATORS = ["swapped comparison", "off by one", "dropped guard", "wrong constant", "dropped call"]


def is_compiled(condition):
    """Whether the condition of an `#if` holds in the tests on this system."""
    is_darwin = sys.platform == "darwin"
    names = {"canImport(Darwin)": is_darwin, "os(macOS)": is_darwin, "os(Linux)": not is_darwin,
             "canImport(Glibc)": not is_darwin, "FUZZING": False, "canImport(Musl)": False}
    return all(names.get(word.lstrip("!"), True) != word.startswith("!") for word in condition.split(" && "))


def without_inactive(mask):
    """Blanks what `#if` excludes; `#` in a string is a quotation mark by now."""
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


def masked(text):
    """The text with comments, excluded code and attributes as blanks, and strings as quotation marks."""
    result = list(text)

    def blank(start, end, mark=" "):
        for index in range(start, min(end, len(text))):
            if result[index] != "\n":
                result[index] = mark

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
            blank(start, index)
        elif text.startswith("/*", index):
            index = text.find("*/", index) + 2
            blank(start, index)
        elif re.match('#*"', text[index:index + 8]):
            index = string(index)
            blank(start, index, '"')
        elif match := re.compile(r"@\w+(\([^()]*\))?").match(text, index):
            index = match.end()
            blank(start, index)
        else:
            index += 1
    return without_inactive("".join(result))


STOPS = re.compile(
    r"(&&|\|\||[?:=] | in |\b(guard|if|while|where|return|case|else|try|await|throw|let|var|in|is|as) )\s*$")


def operands(mask, start, end):
    """The range of the comparison whose operator is in start..<end; nil if it is not on one line."""
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


def wrapped(original, faulty, number):
    return f"(particlesMutant({number}) ? ({faulty}) : ({original}))"


class Mutant:
    def __init__(self, file, text, start, end, faulty, operator, suite=None, call=False):
        self.file, self.start, self.end, self.faulty = file, start, end, faulty
        self.operator, self.suite, self.call = operator, suite, call
        self.original = text[start:end]
        self.line = text.count("\n", 0, start) + 1
        self.last = text.count("\n", 0, end) + 1
        self.source = text[text.rfind("\n", 0, start) + 1:].split("\n", 1)[0].strip()
        self.number = 0

    @property
    def module(self):
        return self.file.split("/")[0]

    def replacement(self):
        if self.call:
            return f"if !particlesMutant({self.number}) {{ {self.original} }}"
        return wrapped(self.original, self.faulty, self.number)

    def record(self):
        return dict(number=self.number, file=self.file, line=self.line, source=self.source,
                    original=" ".join(self.original.split()), faulty=self.faulty,
                    operator=self.operator, suite=self.suite)


def candidates(file, text, operator):
    mask = masked(text)
    lines = [0] + [match.end() for match in re.finditer("\n", mask)]

    def line_of(index):
        start = lines[bisect.bisect_right(lines, index) - 1]
        return mask[start:mask.find("\n", start)]

    def make(start, end, faulty, **options):
        found.append(Mutant(file, text, start, end, faulty, operator, **options))

    found = []
    if operator == "swapped comparison":
        swaps = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
        for match in re.finditer(r"(?<= )(<=|>=|==|!=|<|>)(?= )", mask):
            if re.search(r"\b(func|extension|struct|enum|class|init|protocol|associatedtype)\b",
                         line_of(match.start())):
                continue
            if span := operands(mask, match.start() - 1, match.end() + 1):
                faulty = text[span[0]:match.start()] + swaps[match[1]] + text[match.end():span[1]]
                make(*span, faulty)
    elif operator in ("off by one", "wrong constant"):
        for match in re.finditer(
                r"(?<![\w.$])(0x[0-9A-Fa-f_]+|\d[\d_]*(\.\d+)?|true|false)(?!\w|\.\d)", mask):
            literal = match[1]
            near = re.search(r"([-+<>=] |\.\.<|\.\.\.|[<>=]= |\[)$", mask[:match.start()][-4:])
            near = near and not re.search(r"(?<![<>=!]) = $", mask[:match.start()][-4:])
            is_whole = re.fullmatch(r"\d[\d_]*", literal)
            if (operator == "off by one") != bool(near and is_whole):
                continue
            if operator == "off by one":
                faulty = str(int(literal.replace("_", "")) + (1 if len(found) % 2 else -1))
            elif literal in ("true", "false"):
                faulty = "false" if literal == "true" else "true"
            elif "." in literal:
                faulty = str(float(literal.replace("_", "")) * 2 or 1.0)
            else:
                faulty = str(int(literal.replace("_", ""), 0) * 2 or 1)
            make(match.start(), match.end(), faulty)
    elif operator == "dropped guard":
        for match in re.finditer(r"\b(guard|if)\s", mask):
            is_guard = match[1] == "guard"
            stop = re.compile(r"\selse\s*\{" if is_guard else r"\s\{")
            ranges, end = conditions(mask, match.end(), stop)
            if not is_guard and not re.match(r"\s\{\s*(throw|return|continue|break)\b", mask[end:end + 400]):
                continue
            for start, end in ranges:
                make(start, end, "true" if is_guard else "false")
    else:
        for match in re.finditer(r"(?<=\n)( +)((?:try )?[a-z_][\w.?!]*\(.*\))(?=\n)", mask):
            before = mask[:match.start()].rstrip()
            after = mask[match.end():match.end() + 200].lstrip()
            body = match[2]
            depth, is_call = 0, "{" not in body
            for index, character in enumerate(body):
                depth += {"(": 1, ")": -1}.get(character, 0)
                is_call = is_call and (depth > 0 or index == len(body) - 1 or "(" not in body[:index])
            if is_call and depth == 0 and not body.startswith(("self.init", "super.", "return", "precondition")) \
                    and re.search(r"([{}\])\"\w?!]|\belse)$", before) and not re.match(r"[.+\-*/&|?:]", after):
                make(match.start(2), match.end(2), "", call=True)
    return found
