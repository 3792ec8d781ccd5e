/** Compares output with files in `test/golden`; `ATTESTRY_GOLDEN=write` writes them, to be looked at. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert } from "vitest"

const root = join(import.meta.dirname, "../golden")

/** What differs from run to run: addresses, ids, times and folders. */
const CHANGING: ReadonlyArray<readonly [RegExp, string]> = [
  [/http:\/\/127\.0\.0\.1:\d+/g, "https://attestry.example.com"],
  [/"(index_url|url)":"http:\/\/127[^"]*"/g, '"$1":"<url>"'],
  [/127\.0\.0\.1:\d+\/api\/v2\/log\//g, "attestry.example.com/api/v2/log/"],
  [/\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}/g, "+<key>"],
  [/"(entry|entry_id|checkpoint|root|payload|sig|keyid)":"(?:[^"\\]|\\.)*"/g, '"$1":"<$1>"'],
  [/"(disclosures|hashes)":\[[^\]]*\]/g, '"$1":[]'],
  [/"keys":\["[A-Za-z0-9_-]{43}"\]/g, '"keys":["<keyid>"]'],
  [/ [0-9a-f]{16}$/gm, " <entry>"],
  [/^(entry|root) +\S{16,44}?(?=:|$)/gm, "$1 <$1>"],
  [/^ {2}[0-9a-f]{16} (?=\/)/gm, "  <entry> "],
  [/("schema":"attestry\.cli\/audit-package\/v1","size":)\d+/g, "$10"],
  [/\d+ bytes(?=, \d+ files)/g, "<n> bytes"],
  [/"(digest)":"[0-9a-f]{64}"/g, '"$1":"<$1>"'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{8,12}/g, "<id>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "<minute>"],
  [/\b1[78]\d{8}(?:\.\d+)?\b/g, "<seconds>"],
  [/"day":"\d{4}-\d\d-\d\d"/g, '"day":"<day>"'],
  [/\b\d+ s ago/g, "<ago>"],
  [/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, "<ulid>"],
  [/"(duration|commit_lead_time|lead_time_seconds)":[\d.e-]+/g, '"$1":0'],
  [/"lead_time_seconds":\[[\d.e-]+\]/g, '"lead_time_seconds":[0]'],
  [/(?<=a week {2}.*)\b\d+ s\b/g, "<n> s"],
  [/(lead_time_seconds {2})[\d.e-]+/g, "$10"],
  [/"(seconds|total_seconds|seconds_non_compliant|late_by_seconds|known)":[\d.e-]+/g, '"$1":0'],
  [/"(non_compliant_hours|row_hours)":\{[^}]*\}/g, '"$1":{}'],
  [
    /\b\d+ s(?=, still| after it| in all| {2,}\S*(?:compliant|not compliant|unknown)\S* →)/g,
    "<n> s"
  ],
  [/not compliant for \d+ s/g, "not compliant for <n> s"],
  [/[^\s"]*attestry-cli-\w+\/m-\w+/g, "<folder>"],
  [/"platform":"[a-z0-9-]+"/g, '"platform":"<platform>"'],
  [/, \d+ ms\b/g, ", <n> ms"],
  [/\b\d+ s from that/g, "<n> s from that"],
  [/(, Node |"node":")\d+\.\d+\.\d+/g, "$1<version>"],
  [/(node {7} ?|"node","state":"ok","text":")\d[\d.]+/g, "$1<version>"]
]

/** The output without what differs from run to run. */
export const steady = (text: string): string =>
  CHANGING.reduce((shown, [pattern, word]) => shown.replaceAll(pattern, word), text)

/** WHY: stores give the members of stored objects in orders of their own, which mean nothing. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

const ordered = (text: string, space = 0): string =>
  `${JSON.stringify(sorted(JSON.parse(text)), null, space)}\n`

const orderedOf = (name: string, text: string): string => {
  if (name.endsWith(".json")) return ordered(text)
  // WHY: a command that prints a document for people as JSON prints it indented.
  return /^\{\n[\s\S]*\n\}\n$/.test(text) ? ordered(text, 2) : text
}

/** WHY: columns are as wide as a time that differs from run to run. */
const spaced = (text: string): string =>
  /<ago>|<n> s/.test(text) ? text.replaceAll(/ {2,}/g, "  ") : text

/** Compares a text with the golden file of a name. */
export const golden = (name: string, text: string): void => {
  const file = join(root, name)
  const shown = spaced(steady(orderedOf(name, text)))
  if (process.env.ATTESTRY_GOLDEN === "write" || !existsSync(file)) {
    if (process.env.ATTESTRY_GOLDEN !== "write") assert.fail(`there is no golden file ${name}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, shown)
  }
  const expected = spaced(readFileSync(file, "utf8"))
  const at = [...shown].findIndex((character, index) => character !== expected[index])
  const place = shown === expected ? "" : `: ${shown.slice(Math.max(0, at - 80), at + 80)}`
  assert.strictEqual(shown, expected, `${name}${place}`)
}
