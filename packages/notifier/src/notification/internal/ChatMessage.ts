/**
 * The message for a chat service. Values are shown as code, because names come from users and `<!channel>` must notify
 * no person.
 *
 * The `{text}` that incoming webhooks accept, in the markup that they share: `*bold*`, code in backticks,
 * `<url|words>`. Values are formatted as code, in which nothing is markup; text outside of code can neither mention a
 * user nor become a link.
 */

import * as PlainText from "./PlainText.js"
import type { Fact, NotificationSummary } from "./SummaryFacts.js"

/** The body of the POST to a chat service. */
export interface ChatMessage {
  readonly text: string
}

const VALUE_LENGTH_MAX = 300
const SENTENCE_LENGTH_MAX = 1_000

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const escapeAngles = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? "")

// WHY: a word joiner is invisible, and a markup character beside it has no effect.
const WORD_JOINER = "\u2060"

const words = (text: string, lengthMax: number): string =>
  escapeAngles(PlainText.shorten(PlainText.oneLine(text), lengthMax)).replace(
    /[*_~`@#[\]()|]/g,
    (mark) => `${WORD_JOINER}${mark}${WORD_JOINER}`
  )

const code = (text: string): string =>
  `\`${escapeAngles(PlainText.shorten(PlainText.oneLine(text), VALUE_LENGTH_MAX)).replaceAll("`", "'") || " "}\``

// INVARIANT: a link passed `WebLink.isWebLink`, so it holds no `|`, `<`, `>` or space.
const link = (url: string, label: string): string => `<${url.replaceAll("&", "&amp;")}|${label}>`

const ICONS = { bad: "🔴", good: "🟢", neutral: "🔵" } as const

const line = ({ brief, isOwn, label, link: url, value }: Fact): string => {
  const shown = isOwn ? words(brief, VALUE_LENGTH_MAX) : code(brief)
  return url === undefined
    ? `• ${label}: ${shown}`
    : url === value
      ? `• ${label}: ${link(url, "open")}`
      : `• ${label}: ${shown} (${link(url, "open")})`
}

/** Labels of facts that the headline already has. */
const IN_HEADLINE = ["Organization", "Environment"]

/** The message for a summary. */
export const make = (summary: NotificationSummary): ChatMessage => {
  const { facts, headline, org, page, sentence, tone } = summary
  return {
    text: [
      `${ICONS[tone]} *${words(headline, VALUE_LENGTH_MAX)}* (${words(org, VALUE_LENGTH_MAX)})`,
      words(sentence, SENTENCE_LENGTH_MAX),
      ...facts.filter(({ label }) => !IN_HEADLINE.includes(label)).map(line),
      ...(page === undefined ? [] : [link(page.url, page.label)])
    ]
      .filter((each) => each !== "")
      .join("\n")
  }
}
