() => {
  const faults = [];
  const tell = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const is_seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest("[aria-hidden=true], .quiet-text") && element.getClientRects().length > 0;
  const text_of = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const name_of = (element) => (element.getAttribute("aria-label")
    || text_of(element.getAttribute("aria-labelledby") ?? "")
    || [...(element.labels ?? [])].map((label) => label.textContent).join(" ")
    || element.textContent || element.getAttribute("title") || element.querySelector("title")?.textContent || "").trim();

  const ACTIVE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0'], [role=button], [role=tab]";
  for (const element of all(ACTIVE)) {
    if (is_seen(element) && !name_of(element)) tell("no name", element);
    if (element.tabIndex > 0) tell("an order of its own", element);
    if (element.closest("[aria-hidden=true]") && element.tabIndex >= 0 && element.checkVisibility()) tell("focus in what is hidden", element);
    const box = element.getBoundingClientRect();
    const is_small = box.height < 23.5 || box.width < 23.5;
    if (is_seen(element) && is_small && element.matches("button, .button, select") && !element.matches(".term")) tell("hard to hit", element);
  }
  const ROLES = "alert button dialog grid gridcell group img list listitem log navigation presentation progressbar region row slider status tab tablist tabpanel none".split(" ");
  for (const element of all("[role]")) if (!ROLES.includes(element.getAttribute("role"))) tell("an unknown role", element);
  for (const element of all("[role=tab]")) if (!element.closest("[role=tablist]")) tell("a tab outside of a list", element);
  for (const element of all("svg[role=img], img")) if (is_seen(element) && !name_of(element) && !element.alt) tell("a picture without a name", element);
  for (const kind of ["aria-controls", "aria-labelledby", "aria-describedby"]) for (const element of all(`[${kind}]`)) {
    if (element.getAttribute(kind).split(/\s+/).some((id) => !document.getElementById(id))) tell(`${kind} leads nowhere`, element);
  }
  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at))) faults.push(`twice: #${id}`);
  if (!document.documentElement.lang || !document.title || !document.querySelector("main")) faults.push("no language, title or main part");
  const heads = all("h1, h2, h3, h4").filter((element) => element.checkVisibility());
  const levels = heads.map((element) => Number(element.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) faults.push(`${levels.filter((level) => level === 1).length} first headings`);
  levels.forEach((level, at) => { if (at && level > levels[at - 1] + 1) tell("a level is left out", heads[at]); });
  for (const table of all("table")) if (is_seen(table) && !table.querySelector("th")) tell("a table without heads", table);

  const parse = (color) => { const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number); return { rgb: [red, green, blue], alpha }; };
  const mix = (over, under) => over.rgb.map((value, at) => value * over.alpha + under[at] * (1 - over.alpha));
  const light = (rgb) => { const [red, green, blue] = rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)); return 0.2126 * red + 0.7152 * green + 0.0722 * blue; };
  const behind = (element) => {
    const colors = [];
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.backgroundImage !== "none" || !style.backgroundColor.startsWith("rgb")) return null;
      colors.push(parse(style.backgroundColor));
      if (colors.at(-1).alpha === 1) break;
    }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return colors.reverse().reduce((under, color) => mix(color, under), dark ? [0, 0, 0] : [255, 255, 255]);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !is_seen(element) || element.closest("svg, :disabled, option, script")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    if (!ground || !style.color.startsWith("rgb")) continue;
    const color = parse(style.color);
    let opacity = color.alpha;
    for (let each = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    const [bright, dim] = [light(mix({ rgb: color.rgb, alpha: opacity }, ground)), light(ground)].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (bright + 0.05) / (dim + 0.05);
    if (ratio < needed - 0.01) tell(`contrast ${ratio.toFixed(2)}`, element);
  }
  return [...new Set(faults)];
}
