/**
 * The parts that the pages of audit packages have in common. A page loads nothing, runs nothing, and every text of
 * users is escaped. It is light in every browser, because it is printed.
 */
import * as Receipt from "@attestry/core/Receipt"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Option from "effect/Option"

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Characters that show nothing, or that change how the characters around them are shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text of users in HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(INVISIBLE, "\uFFFD").replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

/** An instant, in UTC. */
export const time = (at: Timestamp.Timestamp): string =>
  `${new Date(Math.floor(Timestamp.toSeconds(at)) * 1000).toISOString().slice(0, 19)}Z`

const STYLE = `
html { color-scheme: only light; background: #fff }
body { font: 14px/1.45 system-ui, sans-serif; color: #111; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #bbb; padding: .35rem .5rem; text-align: left; vertical-align: top }
td { overflow-wrap: anywhere }
thead { display: table-header-group } tr { break-inside: avoid }
code { font: 12px/1.4 ui-monospace, monospace }
.bad { font-weight: bold }
@media print { body { margin: 0; max-width: none; font-size: 10pt } a { color: inherit; text-decoration: none } }
@page { margin: 15mm }
`

/** A row of a table, whose cells are HTML. */
export const rowOf = (cells: ReadonlyArray<string>): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`

/** A table of rows; a sentence where it has none. */
export const tableOf = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<string>,
  none: string
): string => {
  if (rows.length === 0) return `<p>${none}</p>`
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join("")
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`
}

/** A table whose cells are HTML; a sentence where it has no rows. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  none: string
): string => tableOf(heads, rows.map(rowOf), none)

/** Whether something is compliant, in words. */
export const outcome = (isCompliant: boolean): string =>
  isCompliant ? "compliant" : '<span class="bad">not compliant</span>'

/** Verdicts in words. */
export const VERDICTS: { readonly [verdict: string]: string } = {
  Compliant: "compliant",
  NonCompliant: '<span class="bad">not compliant</span>',
  Unknown: "not evaluated"
}

/** The verdict that a receipt says. */
export const verdictIn = (receipt: string): string =>
  Option.match(Receipt.read(receipt), {
    onNone: () => "unknown",
    onSome: ({ verdict }) => VERDICTS[verdict] ?? "unknown"
  })

/** A list of names and values. */
export const facts = (values: ReadonlyArray<readonly [name: string, value: string]>): string =>
  table(
    ["What", "Value"],
    values.map(([name, value]) => [`<strong>${name}</strong>`, value]),
    ""
  )

/** A member as a link: the last part of its name, or another text. */
export const link = (name: string, text = name.slice(name.lastIndexOf("/") + 1)): string =>
  `<a href="${escaped(name)}">${escaped(text)}</a>`

/** A whole page; the title is HTML. */
export const document = (title: string, parts: ReadonlyArray<string>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="only light">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${parts.join("\n")}
<p>Times are in UTC. A receipt is a signed verdict:
<code>attestry receipt verify</code> checks it offline, with the keys of the log, which <code>receipts/keys.json</code>
has; compare them with those that you were given by another way. <code>manifest.json</code> lists the SHA-256
of every file of this package.</p>
</body>
</html>
`
