"""What Doxygen's pages still need: navigation, headings in order, links to files, code that wraps, a search index."""

import html
import json
import re
import shutil
import xml.etree.ElementTree

from book import anchor

REFERENCE = [
    ("reference.html", "Functions"),
    ("namespaces.html", "Namespaces"),
    ("annotated.html", "Types"),
    ("files.html", "Files and tests"),
]
# The order of the pages that are no chapters.
FOUNDATIONS = ["notation", "conventions", "laws", "proving", "floating_point", "own_hand", "sources", "glossary", "bibliography"]


class Finisher:
    """Finishes the pages in the folder `site`. `live` names the live figures that have been built."""

    def __init__(self, book, site, tags, live):
        self.book = book
        self.site = site
        self.live = live
        self.errors = []
        self.files = {}  # path of a source file -> its page
        self.names = {}  # namespace::name -> where it is documented
        self.of_laws = set()  # where the names of src/multihead/laws are documented
        self.entries = []  # of the search: [what, title, where]
        self._read_tags(tags)
        self.chapter_of = {page.file: page for page in book.chapters}
        self.document_of = {page.file: page for page in book.documents}

    def _read_tags(self, tags):
        """Where Doxygen put the files and the names."""
        seen = set()
        for compound in xml.etree.ElementTree.parse(tags).getroot():
            kind = compound.get("kind")
            name = compound.findtext("name")
            filename = compound.findtext("filename") or ""
            if kind == "file":
                path = compound.findtext("path") + name
                if "/laws/" in path:
                    self.of_laws |= {
                        member.findtext("anchorfile") + "#" + member.findtext("anchor")
                        for member in compound.findall("member")
                    }
                self.files[path.removeprefix(str(self.book.root) + "/")] = filename.removesuffix(".html") + ".html"
            if kind in ("struct", "class") and name.startswith("multihead::"):
                self.names.setdefault(name, filename)
                self.entries.append(["type", name.removeprefix("multihead::"), filename])
            if kind == "namespace":
                for member in compound.findall("member"):
                    where = member.findtext("anchorfile") + "#" + member.findtext("anchor")
                    self.names.setdefault(name + "::" + member.findtext("name"), where)
            if kind in ("namespace", "file"):
                for member in compound.findall("member[@kind='function']"):
                    function = member.findtext("name")
                    where = member.findtext("anchorfile") + "#" + member.findtext("anchor")
                    scope = name.removeprefix("multihead::") + "::" if kind == "namespace" else ""
                    if kind == "file" and not function.startswith("test_"):
                        continue
                    if where not in seen and (kind == "file" or name.startswith("multihead")):
                        seen.add(where)
                        title = scope + function
                        self.entries.append(["function" if kind == "namespace" else "test", title, where])

    def finish(self):
        """All pages. Returns what is wrong."""
        for pattern in ("*-members.html", "dir_*.html"):  # lists of what other pages list better
            for path in self.site.glob(pattern):
                path.unlink()
        for path in sorted(self.site.glob("*.html")):
            text = path.read_text(encoding="utf-8")
            path.write_text(self._page(path.name, text), encoding="utf-8")
        for number, boxes in self.book.boxes.items():
            page, _, kind, name = boxes[0]
            where = f"{page.file}#{anchor('law', number)}"
            self.entries.append([kind.lower(), f"{number} {name.replace('-', ' ')}", where])
        order = {"chapter": 0, "page": 1, "law": 2, "definition": 2, "section": 3, "function": 4, "type": 5, "test": 6}
        self.entries.sort(key=lambda entry: order[entry[0]])
        data = json.dumps(self.entries, ensure_ascii=False, separators=(",", ":"))
        (self.site / "search.js").write_text(f"window.searchIndex = {data};\n", encoding="utf-8")
        for useless in ["jquery.js", "dynsections.js", "tabs.css", "menu.js", "menudata.js"]:
            (self.site / useless).unlink(missing_ok=True)
        for image in self.site.glob("*.png"):
            image.unlink()
        return self.errors

    def _page(self, name, text):
        text = re.sub(r"<!--kept (\d+)-->", lambda found: self.book.kept[int(found.group(1))], text)
        text = re.sub(r'<div class="title">(.*?)</div>', r'<h1 class="title">\1</h1>', text, count=1, flags=re.DOTALL)
        written = name in self.chapter_of or name in self.document_of
        if written:
            text = re.sub(r"<(/?)h([123])>", lambda h: f"<{h.group(1)}h{int(h.group(2)) + 1}>", text)
        chapter = self.chapter_of.get(name)
        if written:
            text = text.replace("<body>", f'<body class="{"written chapter" if chapter else "written"}">', 1)
        if chapter:
            eyebrow = f'<p class="eyebrow">Chapter {chapter.number}</p>'
            text = text.replace('<h1 class="title">', eyebrow + '<h1 class="title">', 1)
            text = text.replace("<title>", f"<title>{chapter.number}. ", 1)
            self.entries.append(["chapter", f"{chapter.number}. {chapter.title}", name])
        elif written:
            title = re.search(r'<h1 class="title">(.*?)</h1>', text, re.DOTALL)
            self.entries.append(["page", plain(title.group(1)) if title else "multihead", name])
        sections = []
        for found in re.finditer(r'<h2><a class="anchor" id="([^"]+)"></a>\s*(.*?)</h2>', text, re.DOTALL):
            sections.append((found.group(1), found.group(2)))
            if written:
                self.entries.append(["section", plain(found.group(2)), f"{name}#{found.group(1)}"])
        text = re.sub(
            r'<(h[234])><a class="anchor" id="([^"]+)"></a>\s*(.*?)</\1>', _heading_with_link, text, flags=re.DOTALL
        )
        text = text.replace("<!--nav-->", self._navigation(name, sections), 1)
        text = re.sub(r'<div class="summary">\s*<a href="[^"]*-members.html">[^<]*</a>\s*</div>', "", text)
        text = re.sub(r'<a href="[^"]*-members.html">[^<]*</a>', "", text)
        text = re.sub(r'<div class="summary">.*?</div>', _summary, text, count=1, flags=re.DOTALL)
        text = re.sub(r'<a (?:class="el" )?href="dir_\w+\.html"[^>]*>(.*?)</a>', r"\1", text)
        # No line breaks between a formula and the point after it.
        text = re.sub(r"\\\((?:(?!\\\)).)*\\\)[.,;:!?)]+", r'<span class="kept">\g<0></span>', text)
        text = re.sub(r"<p ?>(?:\s|<br ?/>)*</p>", "", text)
        text = text.replace("<p >", "<p>")
        text = re.sub(r'<span [^>]*class="arrow"[^>]*>.*?</span>', "", text)
        text = re.sub(r' onclick="[^"]*"', "", text)
        text = re.sub(r'<img src="closed.png"[^>]*>(&#160;)?', "", text)
        text = re.sub(r'(<a href="[^"]*">)?<span class="icon\w+"></span>(?(1)</a>)', "", text)
        text = re.sub(r'<div class="levels">.*?</div>', "", text)
        text = text.replace(' style="display:none;"', "")  # all rows of a list
        if written:
            text = re.sub(r'<div class="fragment">.*?<!-- fragment -->', _code, text, flags=re.DOTALL)
            text = re.sub(r"<code>([^<]{1,32})</code>", r'<code class="short">\1</code>', text)
            text = text.replace("( \\(", "(\\(")  # Doxygen parts a bracket from its formula
        text = re.sub(r'<(td|div) class="(mem\w+|param\w+)[^>]*>.*?</\1>', _declaration, text, flags=re.DOTALL)
        text = re.sub(
            r'<p class="hand-name"><a href="repo:src/(multihead/\w+)/(\w+)\.hpp".*?<!-- fragment -->',
            self._own_names,
            text,
            flags=re.DOTALL,
        )
        text = re.sub(
            r'<table class="(markdownTable|doxtable)">.*?</table>',
            r'<div class="wide" tabindex="0" role="region" aria-label="Table">\g<0></div>',
            text,
            flags=re.DOTALL,
        )
        if name == "reference.html":
            text = re.sub(r'<code class="short">(\w+)([({].*?)?</code>', r'<a href="name:\1">\1\2</a>', text)
        text = re.sub(r'<a href="name:([\w:]+)">(.*?)</a>', self._name, text)
        text = re.sub(r'href="law:([\d.]+)"', lambda found: f'href="{self._law(found.group(1))}"', text)
        text = re.sub(r'href="repo:([^"#]+)(#L(\d+))?"', lambda found: f'href="{self._file(found, name)}"', text)
        text = re.sub(r"<!--live (\w+)-->", lambda found: self._live(found.group(1)), text)
        if not re.search(r"\\[(\[]", text):  # MathJax is there where formulas are
            text = re.sub(r"<!--formulas-->.*?<!--end of formulas-->\s*", "", text, flags=re.DOTALL)
        return text

    def _own_names(self, found):
        """Doxygen links a name to any function that has it. In the code of a hand the hand's own is meant, or none."""
        folder, stem = found.groups()
        scope = folder.replace("/", "::")
        scopes = ([scope + "::row"] if stem.startswith("row") else []) + [scope]

        def link(found):
            begin, where, name = found.groups()
            own = [self.names[f"{scope}::{name}"] for scope in scopes if f"{scope}::{name}" in self.names]
            if own:
                return f'{begin}"{own[0]}">{name}</a>'
            return name if where in self.of_laws else found.group(0)

        # A line that ends in a comma goes on: where columns are narrow, the browser breaks it.
        joined = re.sub(
            r',</div>\s*<div class="line"[^>]*>(?:<span class="kept"> *([^ <]?)</span>)?', r", \1", found.group(0)
        )
        return re.sub(r'(<a class="code hl_(?:function|variable)" href=)"([^"]*)">([\w:]+)</a>', link, joined)

    def _live(self, figure):
        if figure not in self.live:  # the static figure stays
            if not (self.book.root / "docs" / "live" / f"{figure}.cpp").exists():
                self.errors.append(f"there is no live figure docs/live/{figure}.cpp")
            return ""
        return f'<script src="{figure}.js" defer></script>'

    def _name(self, found):
        """A function of the plain hand, or of the library."""
        name, text = found.groups()
        where = self.names.get(f"multihead::loops::{name}") or self.names.get(f"multihead::{name}")
        return f'<a href="{where}"><code>{text}</code></a>' if where else f"<code>{text}</code>"

    def _law(self, number):
        return f"{self.book.boxes[number][0][0].file}#{anchor('law', number)}"

    def _file(self, found, name):
        """A file of the repository: the page of its source, or a copy."""
        path = html.unescape(found.group(1))
        if path in self.files:
            page = self.files[path]
            if found.group(3):
                return page.replace(".html", "_source.html") + f"#l{int(found.group(3)):05d}"
            return page
        source = self.book.root / path
        if not source.is_file():
            self.errors.append(f"{name}: error: the link to {path} leads nowhere")
            return ""
        target = self.site / "files" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return "files/" + path

    def _navigation(self, name, sections):
        def item(file, title, number=None):
            here = ' aria-current="page"' if file == name else ""
            label = f'<span class="number">{number}</span> {title}' if number else title
            inner = ""
            if here and sections and (number or file == "laws.html"):
                inner = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in sections)
                inner = f"<ol>{inner}</ol>"
            return f'<li><a href="{file}"{here}>{label}</a>{inner}</li>'

        def group(title, items):
            return f"<h2>{title}</h2><ul>{''.join(items)}</ul>" if items else ""

        documents = {page.label: page for page in self.book.documents}
        foundations = [
            item(label + ".html", html.escape(documents[label].title)) for label in FOUNDATIONS if label in documents
        ]
        reference = [item(file, title) for file, title in REFERENCE if (self.site / file).exists()]
        return (
            group("Chapters", [item(page.file, html.escape(page.title), page.number) for page in self.book.chapters])
            + group("Around the chapters", foundations)
            + group("Reference", reference)
        )


def plain(text):
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


def _summary(found):
    """The links to the parts of a page of Doxygen, without those to parts that are not there."""
    links = re.findall(r'<a href="#([\w-]+)">[^<]*</a>', found.group(0))
    kept = [link for link in links if f'name="{link}"' in found.string]
    return '<div class="summary">' + " · ".join(
        re.search(rf'<a href="#{link}">[^<]*</a>', found.group(0)).group(0) for link in kept
    ) + "</div>"


def _declaration(found):
    """A declaration as this book writes it: Matrix<T>& X."""
    text = found.group(0).replace("&lt; ", "&lt;").replace(" &gt;", "&gt;").replace(" ,", ",")
    return re.sub(r" &amp;(?=\w|&#160;)", "&amp; ", text)


def _heading_with_link(found):
    tag, label, title = found.groups()
    link = f'<a class="here" href="#{label}" aria-label="Link to this section">#</a>'
    return f'<{tag} id="{label}">{title.strip()} {link}</{tag}>'


DOCUMENTATION = re.compile(r'<div class="line"><span class="comment">\s*///.*?</div>\n?')
LINE = re.compile(r'<div class="line">( *)(?!</div>)([^ <&]?)')


def _code(found):
    """Code without its documentation, which the page is, and without the indentation that all lines share. Each line
    says how far it is indented, so that it can be broken with its continuation further in; it is not broken before its
    first letter."""
    text = DOCUMENTATION.sub("", found.group(0))
    common = min((len(line.group(1)) for line in LINE.finditer(text)), default=0)

    def line(found):
        indent = len(found.group(1)) - common
        kept = f'<span class="kept">{" " * indent}{found.group(2)}</span>' if indent else found.group(2)
        return f'<div class="line" style="--i:{indent}">{kept}'

    return LINE.sub(line, text)
