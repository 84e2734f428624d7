"""The pages of the site that are made when it is built: one for each ruleset, the command line's help, the changelog.

A hook of mkdocs (`mkdocs.yml`). What it writes comes from the program itself, so no page can be out of date.
"""

from __future__ import annotations

import argparse
import html
import re
from functools import partial
from pathlib import Path
from typing import Any

from rulesets import find_ruleset, load_ruleset, shipped_rulesets
from tui.application.reports.rules_report import rules_words
from tui.application.settings.folders import data_folder
from tui.application.terminal.output import filling
from tui.cli.arguments import command_parser
from tui.cli.shell_completion import all_commands

ROOT = Path(__file__).parent.parent
UNBROKEN = 100_000
"""Columns of a report whose lines are not to be broken."""
WIDTH = 100
"""Columns of the help."""
HELP_PAGE, HELP_MARK = "command-line.md", "<!-- every command: scripts/site_pages.py -->"
MARKUP = re.compile(r"([\\`*_{}\[\]#+!|-])")


def pages() -> dict[str, str]:
    """Every page that is made whole, by its path in the site's sources."""
    made = {f"rulesets/{name}.md": ruleset_page(name) for name in shipped_rulesets()}
    made["rulesets/sources.md"] = (ROOT / "rulesets" / "SOURCES.md").read_text("utf-8")
    made["changelog.md"] = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return made


def ruleset_page(name: str) -> str:
    """A ruleset as `battleboard rules` prints it, its indents as nested lists."""
    with filling(UNBROKEN):
        title, *lines = rules_words(load_ruleset(find_ruleset(name)))
    made = [
        f"# {escaped(title.removesuffix(f' ({name})'))}",
        "",
        f"Made from the files in `rulesets/{name}`; `battleboard rules {name}` prints the same. Each rule names its "
        "**source** in the system, and its **ruling** where the system leaves the matter open. "
        "[Where it comes from](sources.md) · [Change a ruling](../rulesets.md#in-ten-minutes)",
    ]
    indents: list[int] = []
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        while indents and (not indent or indents[-1] >= indent):
            indents.pop()
        if not indent:
            made += ["", f"## {escaped(text.capitalize())}" if text.isupper() else escaped(text)]
            continue
        if made[-1] and not made[-1].lstrip().startswith("- "):
            made.append("")
        made.append(f"{'    ' * len(indents)}- {item(text, is_rule=not indents)}")
        indents.append(indent)
    return "\n".join([*made, ""])


def item(text: str, *, is_rule: bool) -> str:
    """One line of a rule; what the rule is called, its source and its ruling stand out."""
    if label := re.match("(source|ruling): ", text):
        return f"**{label[1]}** {escaped(text[label.end() :])}"
    head, colon, rest = text.partition(": ")
    return f"**{escaped(head)}**{colon}{escaped(rest)}" if is_rule else escaped(text)


def escaped(text: str) -> str:
    """The text with nothing in it that Markdown reads as markup."""
    return MARKUP.sub(r"\\\1", html.escape(text, quote=False))


def command_help() -> str:
    """What `--help` prints, for battleboard itself and for each command."""
    parser = command_parser(is_board=False)
    made = []
    for name, command in [("battleboard", parser), *all_commands(parser)]:
        command.formatter_class = partial(argparse.HelpFormatter, width=WIDTH)
        help_text = command.format_help().replace(str(data_folder()), "the data folder")
        made += [f"## {name}", "", "```text", help_text.rstrip(), "```", ""]
    return "\n".join(made)


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages to those of `docs/`."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Puts the help of all commands on its page."""
    return markdown.replace(HELP_MARK, command_help()) if page.file.src_uri == HELP_PAGE else markdown
