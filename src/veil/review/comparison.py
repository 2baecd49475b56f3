"""Two reviews side by side: what a change of the rules has changed."""

from __future__ import annotations

from dataclasses import replace

from veil.report import Figure, PageSection, ReportPage, Table
from veil.review.game_review import Review

EXACT = 1e-3  # numbers without an interval that differ by less are the same


def compare_reviews(new: Review, old: Review) -> ReportPage:
    """Return the page of the new review, with a first section about what differs from the old one."""
    page, before = new.page(), old.page()
    figures, others = page.figures(), before.figures()
    rows = []
    for name, entry in figures.items():
        other = others.get(name)
        if other is not None and (entry.show() != other.show()):
            rows.append((name, other.show(), entry.show(), "yes" if _differ(entry, other) else "within the intervals"))
    only_new = [name for name in figures if name not in others]
    only_old = [name for name in others if name not in figures]
    sentences = [f"Before: {before.headline}", f"Now: {page.headline}"]
    for what, names in (("Only now", only_new), ("Only before", only_old)):
        if names:
            sentences.append(f"{what}: {', '.join(names)}.")
    if not rows:
        sentences.append("No figure differs.")
    table = Table(("figure", f"before ({old.game.name})", "now", "changed"), rows) if rows else None
    section = PageSection(title=f"Compared with {old.game.name}", sentences=sentences, table=table)
    return replace(page, sections=[section, *page.sections])


def _differ(one: Figure, other: Figure) -> bool:
    """Return whether two numbers differ beyond their intervals."""
    if one.value is None or other.value is None:
        return one.value is not other.value
    noise = ((one.half or 0.0) ** 2 + (other.half or 0.0) ** 2) ** 0.5
    return bool(abs(one.value - other.value) > max(noise, EXACT))
