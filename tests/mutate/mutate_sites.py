# SPDX-License-Identifier: MIT
"""
Where a C source can be mutated. A text is cut into tokens; comments, texts and preprocessor lines are no tokens. Each site is one
small change: an operator, a constant, a condition, a term or a call. tests/mutate/mutate.py compiles and tests them one at a time.

Left out, because no test can or should notice:
- assertions, prefetches and pauses with all they contain, attributes, alignments and assembly;
- calls that release memory, which only a leak checker misses, and calls that show progress;
- sizes of arrays in declarations: a larger array is the same program;
- files of fitted numbers and of progress (SKIPPED_FILES).
"""

import bisect
import hashlib
import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    (?P<space>\s+|/\*.*?\*/|//[^\n]*|\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.VERBOSE | re.DOTALL)

SKIPPED_FILES = re.compile(r"(^|/)(weights\.c|progress\w*\.[ch])$")
# What stands in the parentheses of these, or in the body of such a function, is no site.
SILENT = re.compile(r"(_?[Ss]tatic_|_Static_)?assert|\w*prefetch\w*|\w*pause\w*|__attribute__|_?[Aa]lign(as|of)|(__)?asm(__)?")
# These calls are not left out. Their arguments are sites all the same.
KEPT_CALLS = re.compile(r"(\w+_)?(free|destroy|yield)|\w*(advise|progress)\w*|if|for|while|switch|return|sizeof|EACH\w*|va_\w+")

CLOSING = {"(": ")", "[": "]", "{": "}"}
PRECEDENCE = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, ">": 7, "<=": 7, ">=": 7, "==": 6, "!=": 6,
              "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "?": 0, ":": 0}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
SWAPS = {
    "comparison": {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)},
    "logic": {"&&": ("||",), "||": ("&&",)},
    "arithmetic": {"+": ("-",), "-": ("+",), "+=": ("-=",), "-=": ("+=",), "++": ("--",), "--": ("++",), "/": ("*",), "%": ("/",)},
    "shift": {"<<": (">>",), ">>": ("<<",), "<<=": (">>=",), ">>=": ("<<=",)},
    "bits": {"&": ("|",), "|": ("&",), "^": ("|",), "&=": ("|=",), "|=": ("&=",), "^=": ("|=",)},
}
OPERATORS = (*SWAPS, "term", "sign", "constant", "condition", "return", "call")
DROPPED = {"+", "-", "|", "^", "&", "&&", "||"}
UNARY_TOO = {"+", "-", "&", "*"}
BEFORE_OPERAND = {"return", "case", "else", "do", "goto"}
TYPE_NAMES = re.compile(r"\w+_t|[A-Z]\w*[a-z]\w*|const|volatile|struct|enum|union|void|bool|char|short|int|long|unsigned|signed|float|double")
SOLE_RETURNS = {"true": "false", "false": "true", "0": "1", "1": "0", "NULL": None}


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Site(NamedTuple):
    path: str
    line: int
    operator: str
    start: int
    end: int
    new: str
    before: str  # the line, without the space around it, and the same with the change
    after: str
    identity: str  # of the change, whatever stands in other lines


class Source:
    """A text in tokens, with the partner of each bracket."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != "space"]
        self.partner = partners(self.tokens)
        self.silent = self.silent_tokens()
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]

    def at(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def kind(self, i):
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ""

    def silent_tokens(self):
        found = set()
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and self.at(i + 1) == "(" and SILENT.fullmatch(token.text):
                end = self.partner.get(i + 1, i)
                if self.at(end + 1) == "{":
                    end = self.partner.get(end + 1, end)
                found.update(range(i, end + 1))
        return found

    def is_cast(self, close):
        """Does this closing parenthesis end a cast?"""
        opening = self.partner.get(close)
        if opening is None or opening + 1 == close or self.at(opening - 1) in ("sizeof", "_Alignof"):
            return False
        inside = self.tokens[opening + 1 : close]
        return not self.kind(opening - 1) == "name" and all(t.text == "*" or TYPE_NAMES.fullmatch(t.text) for t in inside)

    def is_binary(self, i):
        """Does an operand end before this token?"""
        if self.at(i) not in UNARY_TOO:
            return True
        if self.kind(i - 1) == "name":
            return self.at(i - 1) not in BEFORE_OPERAND
        return self.kind(i - 1) in ("number", "text") or self.at(i - 1) == "]" or (self.at(i - 1) == ")" and not self.is_cast(i - 1))

    def term_end(self, i):
        """The first token after the right operand of the operator at i."""
        limit, j = PRECEDENCE[self.at(i)], i + 1
        while j < len(self.tokens):
            text = self.at(j)
            if text in CLOSING and j in self.partner:
                j = self.partner[j]
            elif text in ")]};," or text in ASSIGNMENTS:
                break
            elif PRECEDENCE.get(text, 99) <= limit and self.is_binary(j):
                break
            j += 1
        return j

    def begins_statement(self, i):
        before = self.at(i - 1)
        if before == ")":
            return self.at(self.partner.get(i - 1, 0) - 1) in ("if", "for", "while", "EACH")
        return before in (";", "{", "}", "else")

    def site(self, operator, first, last, new):
        """A change of the tokens first to last; lines stay as many as they are."""
        start, end = self.tokens[first].start, self.tokens[last].end
        new += "\n" * (self.text.count("\n", start, end) - new.count("\n"))
        line = bisect.bisect_right(self.starts, start)
        begin = self.starts[line - 1]
        stop = self.text.find("\n", end)
        stop = len(self.text) if stop < 0 else stop
        before = " ".join(self.text[begin:stop].split())
        after = " ".join((self.text[begin:start] + new + self.text[end:stop]).split())
        return Site(self.path, line, operator, start, end, new, before, after, "")


def partners(tokens):
    """Both ways between an opening bracket's index and its closing one's."""
    found, stack = {}, []
    for i, token in enumerate(tokens):
        if token.kind == "mark" and token.text in CLOSING:
            stack.append(i)
        elif token.kind == "mark" and token.text in ")]}" and stack and CLOSING[tokens[stack[-1]].text] == token.text:
            found[i] = stack.pop()
            found[found[i]] = i
    return found


def swaps(s, i):
    for operator, table in SWAPS.items():
        if s.at(i) in table and s.is_binary(i):
            for new in table[s.at(i)]:
                yield s.site(operator, i, i, new)


def terms(s, i):
    """A term dropped: the right one with its operator."""
    if s.at(i) in DROPPED and s.is_binary(i):
        yield s.site("term", i, s.term_end(i) - 1, "")


def signs(s, i):
    if s.at(i) == "-" and not s.is_binary(i):
        yield s.site("sign", i, i, " ")
    if s.at(i) == "!" and s.kind(i) == "mark":
        yield s.site("sign", i, i, " ")


def is_array_size(s, i):
    """The number in `Type name[64]`: two names in a row stand in declarations only."""
    return (s.at(i - 1) == "[" and s.at(i + 1) == "]" and s.kind(i - 2) == "name" and
            (s.at(i - 3) == "*" or s.kind(i - 3) == "name" and s.at(i - 3) not in BEFORE_OPERAND))


def constants(s, i):
    if s.kind(i) != "number" or is_array_size(s, i):
        return
    text = s.at(i)
    whole = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if not whole:
        yield s.site("constant", i, i, f"({text} + 1)")
    elif text[:2] in ("0x", "0X"):
        yield s.site("constant", i, i, hex(int(whole[1], 16) + 1) + whole[2])
    elif not (len(whole[1]) > 1 and text[0] == "0"):
        yield s.site("constant", i, i, str(int(whole[1]) + 1) + whole[2])


def conditions(s, i):
    if s.at(i) not in ("if", "while") or s.at(i + 1) != "(" or s.partner.get(i + 1) is None or s.at(s.partner[i + 1] + 1) == ";":
        return
    close = s.partner[i + 1]
    condition = s.text[s.tokens[i + 1].start : s.tokens[close].end]
    yield s.site("condition", i + 1, close, f"({condition} && 0)")
    if s.at(i) == "if":
        yield s.site("condition", i + 1, close, f"({condition} || 1)")


def returns(s, i):
    if s.at(i) != "return" or s.at(i + 1) == ";":
        return
    end = i + 1
    while end < len(s.tokens) and s.at(end) != ";":
        end = s.partner.get(end, end) + 1
    if end == i + 2 and s.at(i + 1) in SOLE_RETURNS:
        if SOLE_RETURNS[s.at(i + 1)]:
            yield s.site("return", i + 1, i + 1, SOLE_RETURNS[s.at(i + 1)])
    elif s.at(i + 1) != "(" or not s.is_cast(s.partner[i + 1]) or s.at(s.partner[i + 1] + 1) != "{":
        value = s.text[s.tokens[i + 1].start : s.tokens[end - 1].end]
        yield s.site("return", i + 1, end - 1, f"!({value})")


def calls(s, i):
    close = s.partner.get(i + 1)
    if (s.kind(i) == "name" and s.at(i + 1) == "(" and close is not None and s.at(close + 1) == ";" and s.begins_statement(i)
            and not KEPT_CALLS.fullmatch(s.at(i))):
        yield s.site("call", i, close, "")


def sites(path, text):
    """All sites of a text in the order of its tokens, each change once."""
    if SKIPPED_FILES.search(path):
        return []
    s, found = Source(path, text), {}
    for i in range(len(s.tokens)):
        if i not in s.silent:
            for find in (swaps, terms, signs, constants, conditions, returns, calls):
                for site in find(s, i):
                    found.setdefault((site.start, site.end, site.new), site)
    return identified(found.values(), s)


def identified(found, s):
    """Names each site by its path, its line's text and the change, and tells those apart that have all in common."""
    seen, named = {}, []
    for site in found:
        column = site.start - s.starts[site.line - 1]
        key = "\0".join((site.path, site.before, site.operator, str(column), site.new))
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode()).hexdigest()[:16]
        named.append(site._replace(identity=digest))
    return named


def shuffled(found, seed):
    """In an order that the seed and each site alone decide: a change elsewhere leaves the order of the rest."""
    return sorted(found, key=lambda site: hashlib.sha256(f"{seed}\0{site.identity}".encode()).digest())


def mutated(text, site):
    return text[: site.start] + site.new + text[site.end :]
