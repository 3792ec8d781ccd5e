/**
 * The subject and the body of a mail, as text and as HTML.
 *
 * Both bodies have the same content and load no remote resource. All text of users is escaped (SPEC §6, `semantics`
 * 9.3), and the subject is one line. `Mailer` sends the mail.
 */

import * as PlainText from "./PlainText.js"
import type { Fact, NotificationSummary } from "./SummaryFacts.js"

/** A mail without its addresses. */
export interface EmailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const SUBJECT_LENGTH_MAX = 180
const SENTENCE_LENGTH_MAX = 2_000
const VALUE_LENGTH_MAX = 1_100

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes text for HTML, between tags and in a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

const tidy = (text: string, lengthMax: number): string =>
  PlainText.shorten(PlainText.oneLine(text), lengthMax)

const COLORS = { bad: "#b42318", good: "#067647", neutral: "#175cd3" } as const

const FOOTER = "You get this mail because a notification in Attestry names your address."

const printFacts = (facts: ReadonlyArray<Fact>): string => {
  const width = Math.max(...facts.map(({ label }) => label.length)) + 2
  return facts
    .map(({ label, link, value }) => {
      const text = `${`${label}:`.padEnd(width)}${tidy(value, VALUE_LENGTH_MAX)}`
      return link === undefined || link === value ? text : `${text}\n${" ".repeat(width)}${link}`
    })
    .join("\n")
}

const anchor = (url: string, words: string): string =>
  `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(words)}</a>`

const LABEL_STYLE = "padding:2px 16px 2px 0;font-weight:normal;color:#667085"
const VALUE_STYLE = "padding:2px 0;word-break:break-word"

const row = ({ label, link, value }: Fact): string => {
  const shortened = tidy(value, VALUE_LENGTH_MAX)
  const shown = link === undefined ? escapeHtml(shortened) : anchor(link, shortened)
  return (
    `<tr><th align="left" style="${LABEL_STYLE}">${escapeHtml(label)}</th>` +
    `<td style="${VALUE_STYLE}">${shown}</td></tr>`
  )
}

const html = ({ facts, headline, page, sentence, tone }: NotificationSummary): string => {
  const title = escapeHtml(tidy(headline, SUBJECT_LENGTH_MAX))
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${title}</title></head>`,
    '<body style="margin:0;padding:24px;font:15px/1.5 sans-serif;color:#101828;background:#ffffff">',
    `<h1 style="margin:0 0 8px;font-size:19px;color:${COLORS[tone]}">${title}</h1>`,
    `<p style="margin:0 0 16px">${escapeHtml(tidy(sentence, SENTENCE_LENGTH_MAX))}</p>`,
    '<table role="presentation" cellspacing="0" style="border-collapse:collapse">' +
      `${facts.map(row).join("")}</table>`,
    page === undefined ? "" : `<p style="margin:16px 0">${anchor(page.url, page.label)}</p>`,
    `<p style="margin:24px 0 0;font-size:12px;color:#667085">${escapeHtml(FOOTER)}</p>`,
    "</body></html>"
  ]
    .filter((part) => part !== "")
    .join("\n")
}

const text = ({ facts, headline, page, sentence }: NotificationSummary): string =>
  [
    tidy(headline, SUBJECT_LENGTH_MAX),
    tidy(sentence, SENTENCE_LENGTH_MAX),
    printFacts(facts),
    ...(page === undefined ? [] : [`${page.label}:\n${page.url}`]),
    `-- \n${FOOTER}`
  ].join("\n\n")

/** The mail for a summary. */
export const make = (summary: NotificationSummary): EmailMessage => ({
  subject: tidy(`[${summary.org}] ${summary.headline}`, SUBJECT_LENGTH_MAX),
  text: `${text(summary)}\n`,
  html: `${html(summary)}\n`
})
