/** Wide, ambiguous and truncated bodies, made from valid ones. */
import { bytesOf, type Draft, type DraftBody } from "./Draft.js"
import type { Random } from "./Random.js"

const encode = (text: string): DraftBody => ({
  _tag: "Bytes",
  bytes: new TextEncoder().encode(text)
})

const times = (count: number, print: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => print(index)).join(",")

const WIDTHS = [99, 100, 101, 5_000, 60_000]

/** The repeated items of a wide body. */
const ENTRIES: ReadonlyArray<(index: number) => string> = [
  () => "0",
  () => "{}",
  () => "[]",
  () => '""',
  () => "null",
  (index) => `{"k${index}":0}`,
  () => '{"a":1,"a":2}',
  () => '"\\u0000"',
  () => "1e999"
]

const MEMBERS: ReadonlyArray<(index: number) => string> = [
  (index) => `"k${index}":0`,
  (index) => `"k${index}":[{}]`,
  () => '"a":0',
  (index) => `"${"é".repeat(300)}${index}":""`,
  (index) => `"\\u0001${index}":"\\u0001\\u0001"`
]

const wideList = (random: Random): string => {
  const entry = random.pick(ENTRIES)
  return `[${times(random.pick(WIDTHS), entry)}]`
}

const wideObject = (random: Random): string => {
  const member = random.pick(MEMBERS)
  return `{${times(random.pick(WIDTHS), member)}}`
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A body in which a list or an object has as many members as possible: the whole, or one of its fields. */
export const widen = (draft: Draft, random: Random): Draft => {
  const wide = random.chance(0.5) ? wideList(random) : wideObject(random)
  const value = draft.body._tag === "Json" ? draft.body.value : undefined
  const names = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || names.length === 0 || random.chance(0.3)) {
    return { ...draft, body: encode(wide) }
  }
  const chosen = random.pick([...names, "unknown"])
  const members = Object.entries({ ...value, [chosen]: null }).map(
    ([name, member]) =>
      `${JSON.stringify(name)}:${name === chosen ? wide : (JSON.stringify(member) ?? "null")}`
  )
  return { ...draft, body: encode(`{${members.join(",")}}`) }
}

const spelled = (name: string, random: Random): string =>
  random.chance(0.5)
    ? JSON.stringify(name)
    : `"${Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`

/** A body with one repeated member, possibly in another spelling. */
export const repeatMember = (draft: Draft, random: Random): Draft => {
  const value = draft.body._tag === "Json" ? draft.body.value : undefined
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length === 0) return draft
  const [name, member] = random.pick(entries)
  const text = JSON.stringify(value).slice(0, -1)
  return {
    ...draft,
    body: encode(`${text},${spelled(name, random)}:${JSON.stringify(member) ?? "null"}}`)
  }
}

/** A form with a repeated part, with bytes after its end, or without its end. */
export const blurForm = (draft: Draft, random: Random): Draft => {
  const { body } = draft
  if (body._tag !== "Form" || body.parts.length === 0) return draft
  const again = random.pick(body.parts)
  const text = new TextDecoder().decode(bytesOf({ ...body, isClosed: true }))
  const more = new TextDecoder().decode(bytesOf({ ...body, parts: [again] }))
  return {
    ...draft,
    body: random.pick<DraftBody>([
      { ...body, parts: [...body.parts, again] },
      { ...body, isClosed: false },
      encode(`${text}${more}`),
      encode(`${text}epilogue`),
      encode(`preamble\r\n${text}`),
      encode(text.slice(0, random.below(text.length)))
    ])
  }
}
