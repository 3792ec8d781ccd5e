/** The HTML around the text of a page: navigation, search, contents, neighbours. Pure. */
import type { DocGroup } from "./DocIndex.js"
import { REPOSITORY, upFrom } from "./DocLinks.js"
import { escapeHtml } from "./DocMarkdown.js"
import type { DocPage } from "./DocPages.js"

/** Files that every page loads, below the root of the server. */
export interface DocAssets {
  readonly style: string
  readonly script: string
  readonly icon: string
  readonly search: string
}

/** A page with its printed text and its neighbours. */
export interface Printed {
  readonly page: DocPage
  readonly html: string
  readonly previous: DocPage | undefined
  readonly next: DocPage | undefined
  /** The pages above it in its document, the document first. */
  readonly above: ReadonlyArray<DocPage>
}

/** Everything that pages share. */
export interface Shared {
  readonly groups: ReadonlyArray<DocGroup>
  /** The page of a document, by its path in the repository. */
  readonly pageOf: (path: string) => DocPage | undefined
  readonly assets: DocAssets
}

/** Text in backticks as code; everything else as text. */
const inline = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

const link = (up: string, page: DocPage, text: string, more = ""): string =>
  `<a href="${up}docs/${escapeHtml(page.path)}"${more}>${text}</a>`

const partsList = (
  up: string,
  parts: ReadonlyArray<DocPage>,
  current: ReadonlySet<string>
): string =>
  parts.length === 0
    ? ""
    : `<ul>${parts
        .map((part) => {
          const isCurrent = current.has(part.path)
          const below = isCurrent ? partsList(up, part.parts, current) : ""
          const mark = isCurrent && below === "" ? ' aria-current="page"' : ""
          return `<li>${link(up, part, inline(part.title), mark)}${below}</li>`
        })
        .join("")}</ul>`

const navigation = (
  up: string,
  { page, above }: Pick<Printed, "page" | "above">,
  { groups, pageOf }: Shared
): string => {
  const current = new Set([...above, page].map(({ path }) => path))
  const items = (entries: DocGroup["entries"]) =>
    entries.map(({ path, title }) => {
      const own = pageOf(path)
      if (own === undefined) return ""
      const mark = own.path === page.path ? ' aria-current="page"' : ""
      const parts = current.has(own.path) ? partsList(up, own.parts, current) : ""
      return `<li>${link(up, own, inline(title), mark)}${parts}</li>`
    })
  return groups
    .map(({ name, entries }) => {
      const open = name === page.group || page.path === "" ? " open" : ""
      const list = `<ul>${items(entries).join("")}</ul>`
      return `<details${open}><summary>${escapeHtml(name)}</summary>${list}</details>`
    })
    .join("\n")
}

const contents = ({ headings }: DocPage): string => {
  const top = Math.min(...headings.map(({ depth }) => depth))
  const items = headings
    .filter(({ depth }) => depth <= top + 1)
    .map(
      ({ text, anchor, depth }) =>
        `<li${depth > top ? ' class="below"' : ""}><a href="#${escapeHtml(anchor)}">${inline(text)}</a></li>`
    )
  return items.length < 2
    ? ""
    : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`
}

const sections = (up: string, { parts }: DocPage): string =>
  parts.length === 0
    ? ""
    : `<nav class="sections" aria-label="Sections"><ul>${parts
        .map((part) => `<li>${link(up, part, inline(part.title))}</li>`)
        .join("")}</ul></nav>`

const neighbours = (up: string, { previous, next }: Printed): string =>
  `<nav class="neighbours" aria-label="Neighbouring pages">${
    previous === undefined ? "" : link(up, previous, `← ${inline(previous.title)}`, ' rel="prev"')
  }${next === undefined ? "" : link(up, next, `${inline(next.title)} →`, ' rel="next"')}</nav>`

const head = (up: string, title: string, { assets }: Shared): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="docs-root" content="${up}">
<meta name="docs-search" content="${up}${assets.search}">
<title>${title}</title>
<link rel="icon" href="${up}${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${up}${assets.style}">
<script type="module" src="${up}${assets.script}"></script>
</head>`

const top = (up: string): string => `<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${up}docs/"><img src="ICON" alt="" width="20" height="20">Attestry
<span>documentation</span></a>
<form class="search" role="search" hidden>
<input type="search" id="search" name="q" placeholder="Search ( / )" aria-label="Search the documentation"
autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results"
aria-autocomplete="list">
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p class="status" role="status"></p>
</form>
<nav class="places" aria-label="This server"><a class="to-documents" href="#documents">Menu</a>
<a href="${up}">Pages</a><a href="${up}api/v2/doc/">API</a></nav>
</header>`

const titleOf = (page: DocPage, above: ReadonlyArray<DocPage>): string =>
  [page, ...[...above].reverse()].map(({ title }) => title.replaceAll("`", "")).join(" · ")

const crumbs = (up: string, { page, above }: Printed): string => {
  if (page.path === "") return ""
  const links = above.map((each) => link(up, each, inline(each.title)))
  return `<p class="crumbs">${[escapeHtml(page.group), ...links].join(" › ")}</p>`
}

/** A page. */
export const page = (printed: Printed, shared: Shared): string => {
  const { page: own, html } = printed
  const up = upFrom(own.path)
  const icon = `${up}${shared.assets.icon}`
  const source = escapeHtml(own.document.path)
  return `${head(up, `${escapeHtml(titleOf(own, printed.above))} · Attestry`, shared)}
<body>
${top(up).replace("ICON", icon)}
<div class="columns">
<nav class="navigation" id="documents" aria-label="Documents">
${navigation(up, printed, shared)}
</nav>
<main id="text" tabindex="-1">
${crumbs(up, printed)}
<article>
${html}</article>
${sections(up, own)}
${neighbours(up, printed)}
<p class="source">The same text on GitHub: <a href="${REPOSITORY}${source}">${source}</a></p>
</main>
${contents(own)}
</div>
</body>
</html>
`
}

/** The page of an address without one; `%BASE%` stands for the path of the public URL. */
export const notFound = (shared: Shared): string => {
  const up = "%BASE%/"
  return `${head(up, "No such page · Attestry", shared)}
<body>
${top(up).replace("ICON", `${up}${shared.assets.icon}`)}
<div class="columns">
<main id="text" tabindex="-1">
<article><h1>No such page</h1>
<p>The documentation has no page with this address. Use the search, or see
<a href="${up}docs/">all documents</a>.</p>
</article>
</main>
</div>
</body>
</html>
`
}
