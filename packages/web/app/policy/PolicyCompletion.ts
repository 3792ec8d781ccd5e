/**
 * Completions in a policy file: keys from the JSON Schema, types, names and controls of the org, and the vocabulary
 * of conditions inside `${{ }}`.
 */
import { isRecord } from "../shared/JsonValue.js"

export interface Completion {
  readonly label: string
  readonly kind: "key" | "value" | "word"
  readonly detail?: string
}

/** The options, and the range that they replace. */
export interface Completions {
  /** The number of characters before the cursor that an option replaces. */
  readonly length: number
  readonly options: ReadonlyArray<Completion>
}

/** The names that the org uses. */
export interface Vocabulary {
  /** The JSON Schema of a policy file. */
  readonly schema: unknown
  readonly attestationNames: ReadonlyArray<string>
  readonly controls: ReadonlyArray<{ readonly identifier: string; readonly name: string }>
  readonly tagKeys: ReadonlyArray<string>
}

type Json = { readonly [name: string]: unknown }

const CONDITION_WORDS: ReadonlyArray<Completion> = [
  { label: "flow.name", kind: "word" },
  { label: "flow.tags.", kind: "word", detail: "a tag of the flow" },
  { label: "artifact.name", kind: "word" },
  { label: "artifact.fingerprint", kind: "word" },
  { label: "exists(", kind: "word", detail: "whether a value is known" },
  { label: "matches(", kind: "word", detail: "whether a text has a pattern" },
  { label: "and", kind: "word" },
  { label: "or", kind: "word" },
  { label: "not", kind: "word" },
  { label: "in", kind: "word" },
  { label: "true", kind: "word" },
  { label: "false", kind: "word" }
]

/** Usual ages of evidence. */
const AGES: ReadonlyArray<Completion> = [
  { label: "24h", kind: "value" },
  { label: "7d", kind: "value" },
  { label: "30d", kind: "value" },
  { label: "90d", kind: "value" }
]

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0

/** The key of a line and its indentation; the dash of a list item counts as indentation. */
const keyOf = (line: string): { readonly indent: number; readonly key: string } | undefined => {
  const found = /^((?: |- )*)([A-Za-z_-]+) *:/.exec(line)
  return found?.[2] === undefined ? undefined : { indent: (found[1] ?? "").length, key: found[2] }
}

/** The keys that enclose a position, outermost first, by indentation. */
export const pathAt = (before: ReadonlyArray<string>, indent: number): ReadonlyArray<string> => {
  const path: Array<string> = []
  let limit = indent
  for (const line of [...before].reverse()) {
    const found = keyOf(line)
    if (found === undefined || found.indent >= limit || line.trim().startsWith("#")) continue
    path.unshift(found.key)
    limit = found.indent
  }
  return path
}

/** The schema at a path of keys; list levels are skipped. */
const schemaAt = (schema: unknown, path: ReadonlyArray<string>): Json | undefined => {
  let current: unknown = schema
  const inside = (node: unknown): unknown =>
    isRecord(node) && node.type === "array" && isRecord(node.items) ? node.items : node
  for (const key of path) {
    const node = inside(current)
    if (!isRecord(node) || !isRecord(node.properties)) return undefined
    current = node.properties[key]
  }
  const found = inside(current)
  return isRecord(found) ? found : undefined
}

const descriptionOf = (node: unknown): { readonly detail?: string } =>
  isRecord(node) && typeof node.description === "string" ? { detail: node.description } : {}

const keysOf = (node: Json | undefined): ReadonlyArray<Completion> =>
  node !== undefined && isRecord(node.properties)
    ? Object.entries(node.properties).map(([label, property]) => ({
        label,
        kind: "key",
        ...descriptionOf(property)
      }))
    : []

const wordsOf = (node: Json | undefined): ReadonlyArray<string> => {
  if (node === undefined) return []
  if (node.type === "boolean") return ["true", "false"]
  const branches = [node, ...(Array.isArray(node.anyOf) ? node.anyOf : [])]
  return branches.flatMap((branch) =>
    isRecord(branch) && Array.isArray(branch.enum) ? branch.enum.map(String) : []
  )
}

const valuesOf = (key: string, node: Json | undefined, words: Vocabulary) => {
  if (key === "name")
    return words.attestationNames.map((label): Completion => ({ label, kind: "value" }))
  if (key === "for_control")
    return words.controls.map(
      ({ identifier, name }): Completion => ({ label: identifier, kind: "value", detail: name })
    )
  if (key === "max_age" && node !== undefined) return AGES
  return wordsOf(node).map((label): Completion => ({ label, kind: "value" }))
}

const LATER_KEYS = ["max_age", "must_be_verified", "where"]

/** The keys of a text: only schema version 2 has ages, and asks about verification and facts. */
const keysFor = (text: string, node: Json | undefined): ReadonlyArray<Completion> =>
  keysOf(node).filter(
    ({ label }) => !LATER_KEYS.includes(label) || !/^_schema:.*\/v1\s*$/m.test(text)
  )

/** WHY none for a complete word: Enter would accept the completion instead of starting a new line. */
const fitting = (typed: string, options: ReadonlyArray<Completion>): Completions | undefined => {
  const wanted = typed.toLowerCase()
  const isComplete = ({ kind, label }: Completion) =>
    kind !== "key" && !label.endsWith(".") && label === typed
  if (options.some(isComplete)) return undefined
  const found = options.filter(
    ({ label }) =>
      label.toLowerCase().startsWith(wanted) && !(typed.endsWith(".") && label === typed)
  )
  return found.length === 0 ? undefined : { length: typed.length, options: found }
}

const insideCondition = (line: string, words: Vocabulary): Completions | undefined => {
  const opened = line.lastIndexOf("${{")
  if (opened < 0 || line.indexOf("}}", opened) >= 0) return undefined
  const typed = /[A-Za-z_.]*$/.exec(line)?.[0] ?? ""
  const tags = words.tagKeys.map(
    (key): Completion => ({ label: `flow.tags.${key}`, kind: "word", detail: "a tag of flows" })
  )
  return fitting(typed, [...CONDITION_WORDS, ...tags])
}

/** Matches the key of the value being typed, in block or flow style, and the typed part of the value. */
const VALUE = /(?:^|[{,\s-])([A-Za-z_-]+) *: *([A-Za-z0-9:_-]*)$/
const KEY = /(?:^(?: |- )*|[{,] *)([A-Za-z_-]*)$/

/** The completions at the cursor, which is at the end of `text`. */
export const completionsAt = (
  textBeforeCursor: string,
  words: Vocabulary
): Completions | undefined => {
  const lines = textBeforeCursor.split("\n")
  const line = lines.at(-1) ?? ""
  const condition = insideCondition(line, words)
  if (condition !== undefined) return condition
  const inner = line.includes("{") ? indentOf(line) + 3 : (/^(?: |- )*/.exec(line)?.[0].length ?? 0)
  const path = pathAt(line.includes("{") ? lines : lines.slice(0, -1), inner)
  const value = VALUE.exec(line)
  if (value?.[1] !== undefined) {
    const [, key, typed = ""] = value
    return fitting(typed, valuesOf(key, schemaAt(words.schema, [...path, key]), words))
  }
  const typed = KEY.exec(line)
  return typed === null
    ? undefined
    : fitting(typed[1] ?? "", keysFor(textBeforeCursor, schemaAt(words.schema, path)))
}
