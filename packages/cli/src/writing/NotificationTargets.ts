/**
 * Parses notification targets: `https://…`, `slack:https://…`, a mail address, or `$NAME` for a variable with one of
 * these. A webhook URL is a secret and is never printed in full.
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import type { Fields } from "../shared/Json.js"

const URL_PREFIX = /^(?:chat:|slack:)?https:\/\//

/** The text itself, or the value of the variable that it names. */
const resolved = ({ host, output }: CommandContext, text: string): string => {
  if (!text.startsWith("$")) return text
  const value = variable(host, text.slice(1))
  if (value === undefined) throw usage(`the variable ${text.slice(1)} is not set`)
  output.hide(value)
  return value
}

const targetOf = (text: string, given: string): Fields => {
  const [prefix] = /^(?:chat|slack):/.exec(text) ?? []
  if (prefix !== undefined) return { type: "CHAT", webhook: text.slice(prefix.length) }
  if (URL_PREFIX.test(text)) return { type: "WEBHOOK", webhook: text, payload_version: "1.0" }
  if (text.includes("@")) return { type: "EMAIL", emails: [text] }
  const shown = given.startsWith("$") ? given : "a text"
  throw usage(`${shown} is neither an https address nor a mail address`)
}

/** The targets; all mail addresses form one target. */
export const parse = (
  context: CommandContext,
  texts: ReadonlyArray<string>
): ReadonlyArray<Fields> => {
  const targets = texts.map((text) => targetOf(resolved(context, text), text))
  for (const { webhook } of targets) if (typeof webhook === "string") context.output.hide(webhook)
  const emails = targets.flatMap(({ emails: some }) => (Array.isArray(some) ? some : []))
  return [
    ...targets.filter(({ type }) => type !== "EMAIL"),
    ...(emails.length === 0 ? [] : [{ type: "EMAIL", emails }])
  ]
}

/** The names of triggers of environments: `non-compliant-env` for `ON_NON_COMPLIANT_ENV`. */
export const TRIGGERS: ReadonlyArray<string> = [
  "started-artifact",
  "exited-artifact",
  "scaled-artifact",
  "allowed-artifact",
  "non-compliant-env",
  "compliant-env",
  "warned-env",
  "silent-env",
  "reporting-env",
  "decaying-env",
  "waiver-changed"
]

/** The names of triggers of flows. `ON_RELEASE` is left out: nothing fires it. */
export const FLOW_TRIGGERS: ReadonlyArray<string> = [
  "started-trail",
  "attested-provenance",
  "attestation",
  "approval"
]

/** The trigger for a name; unknown names are sent unchanged, and the server refuses them. */
export const triggerOf = (word: string): string =>
  TRIGGERS.includes(word) || FLOW_TRIGGERS.includes(word)
    ? `ON_${word.toUpperCase().replaceAll("-", "_")}`
    : word
