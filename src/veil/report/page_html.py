"""A page as one HTML document: it asks for nothing outside itself, prints well, and follows dark mode."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from veil.report.page_charts import NARROW, WIDE, draw_chart
from veil.report.page_records import Figure, KeyFact, PageSection, Remark, ReportPage
from veil.report.tables import Table, show_cell

STYLE = "page.css"


def page_as_html(page: ReportPage) -> str:
    """Return a complete document."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{escape(page.title)}</title>",
            f"<style>{page_style()}</style></head>",
            f"<body>{page_as_fragment(page)}</body></html>",
            "",
        ]
    )


def page_style() -> str:
    """Return the style sheet of pages; all its rules are below the class `veil-page`."""
    return (files("veil.report") / STYLE).read_text("utf-8")


def page_as_fragment(page: ReportPage) -> str:
    """Return the page as one element, for a document that has the style sheet (`page_style`)."""
    parts = ['<article class="veil-page">', "<header>", f"<p class='eyebrow'>{escape(page.title)}</p>"]
    parts.append(f"<h1>{escape(page.headline)}</h1>")
    parts += [f"<p class='summary'>{escape(sentence)}</p>" for sentence in page.summary]
    if page.key_facts:
        parts.append(_key_facts(page.key_facts))
    parts.append("</header>")
    if page.picture:
        parts.append(f'<div class="picture">{page.picture}</div>')
    sections, remarks = [_section(part) for part in page.sections], [_remarks(page.remarks)] if page.remarks else []
    parts += [*remarks, *sections] if page.has_remarks_first else [*sections, *remarks]
    if page.notes:
        parts.append("<footer>" + "".join(f"<p>{escape(note)}</p>" for note in page.notes) + "</footer>")
    return "\n".join([*parts, "</article>"])


def _section(part: PageSection) -> str:
    parts = [f"<section><h2>{escape(part.title)}</h2>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in part.sentences]
    for chart in part.charts:
        drawn = "".join(draw_chart(chart, canvas) for canvas in (WIDE, NARROW))
        parts.append(f"<figure><figcaption>{escape(chart.title)}</figcaption>{drawn}</figure>")
    if part.table is not None:
        parts.append(_table(part.table))
    if part.figures:
        parts.append(_figures(part.figures))
    return "\n".join([*parts, "</section>"])


def _key_facts(facts: Sequence[KeyFact]) -> str:
    parts = [
        f"<div><dt>{escape(fact.label)}</dt><dd>{escape(fact.number)}<small>{escape(fact.basis)}</small></dd></div>"
        for fact in facts
    ]
    return f"<dl class='key-facts'>{''.join(parts)}</dl>"


def _figures(figures: Sequence[Figure]) -> str:
    rows = [
        f"<tr><th scope='row'>{escape(entry.label)}</th><td class='n'>{escape(entry.show())}</td>"
        f"<td class='basis'>{escape(entry.basis)}</td></tr>"
        for entry in figures
    ]
    return f"<table class='figures'><tbody>{''.join(rows)}</tbody></table>"


def _table(table: Table) -> str:
    kinds = [" class='right'" if right else "" for right in table.is_right(has_intervals=True)]
    named = zip(table.columns, kinds, strict=True)
    head = "".join(f"<th scope='col'{kind}>{escape(str(name))}</th>" for name, kind in named)
    rows = (
        "".join(f"<td{kind}>{escape(show_cell(cell))}</td>" for cell, kind in zip(row, kinds, strict=True))
        for row in table.rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<div class='wide'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _remarks(remarks: Sequence[Remark]) -> str:
    parts = ["<section><h2>Findings</h2><ul class='remarks'>"]
    for entry in remarks:
        place = f"<code>{escape(entry.place)}</code> " if entry.place else ""
        hint = f"<span class='hint'>{escape(entry.hint)}</span>" if entry.hint else ""
        kind = escape(entry.severity)
        parts.append(f"<li class='{kind}'><b>{kind}</b><div>{place}{escape(entry.message)}{hint}</div></li>")
    return "\n".join([*parts, "</ul></section>"])
