/** Mutations of a request: each returns a draft with one more error. */
import { bytesOf, type Draft } from "./Draft.js"
import type { Random } from "./Random.js"
import { blurForm, repeatMember, widen } from "./WideText.js"

/** Adds one error to a draft. */
export type Mutation = (draft: Draft, random: Random) => Draft

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

/** Unexpected values for a body. */
const VALUES: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -0,
  -1,
  0.1,
  2 ** 60,
  1e308,
  -1e308,
  5e-324,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e",
  "𝒳".repeat(600),
  "x".repeat(5_000),
  "../../etc/passwd",
  "' OR 1=1 --",
  "{{7*7}}",
  "2026-13-40T99:99:99Z",
  [],
  {},
  [[]],
  [null],
  { "": "" },
  { constructor: { prototype: 1 } },
  JSON.parse('{"__proto__":{"a":1}}'),
  JSON.parse(nested(60)),
  JSON.parse(nested(70)),
  Array.from({ length: 300 }, (_, index) => index)
]

type Change = (parent: { [key: string]: unknown }, key: string) => void

/** Changes one field, anywhere in a body. */
const changeField = (value: unknown, random: Random, change: Change): unknown => {
  const root = { root: structuredClone(value) }
  const places: Array<readonly [{ [key: string]: unknown }, string]> = []
  const visit = (parent: { [key: string]: unknown }, key: string): void => {
    places.push([parent, key])
    const member = parent[key]
    if (typeof member !== "object" || member === null || places.length > 200) return
    for (const each of Object.keys(member)) visit(member as { [key: string]: unknown }, each)
  }
  visit(root, "root")
  const [parent, key] = random.pick(places)
  change(parent, key)
  return root.root
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const inJson =
  (changeOf: (random: Random) => Change): Mutation =>
  (draft, random) => {
    const { body } = draft
    if (body._tag === "Json") {
      const value = changeField(body.value, random, changeOf(random))
      return { ...draft, body: { _tag: "Json", value } }
    }
    const [first, ...rest] = body._tag === "Form" ? body.parts : []
    if (body._tag !== "Form" || first === undefined || !first.text.startsWith("{")) return draft
    const value = changeField(parsed(first.text), random, changeOf(random))
    const text = JSON.stringify(value) ?? ""
    return { ...draft, body: { ...body, parts: [{ ...first, text }, ...rest] } }
  }

const replaceField = inJson((random) => (parent, key) => {
  parent[key] = random.pick(VALUES)
})

const dropField = inJson(() => (parent, key) => {
  delete parent[key]
})

const NAMES = ["unknown", "__proto__", "constructor", "toString", "\u0000", "é", "x".repeat(2_000)]

const addField = inJson((random) => (parent, key) => {
  const member = parent[key]
  const target = typeof member === "object" && member !== null ? member : parent
  Object.defineProperty(target, random.pick(NAMES), {
    value: random.pick(VALUES),
    enumerable: true,
    configurable: true,
    writable: true
  })
})

const TEXTS: ReadonlyArray<string> = [
  "",
  "null",
  "{",
  "}",
  "[1,",
  '"text',
  "NaN",
  "undefined",
  "1e999",
  `{"name":${"9".repeat(400)}}`,
  '{"name":1e999}',
  '{"name":"a","name":"b"}',
  "{'name':'a'}",
  '{"name":"a"} {"name":"b"}',
  '// a\n{"name":"a"}',
  '\ufeff{"name":"a"}',
  '{"name":"\\ud800"}',
  '{"\\u0000":1}',
  nested(100_000),
  `{"a":`.repeat(50_000)
]

const replaceText: Mutation = (draft, random) => ({
  ...draft,
  body: { _tag: "Bytes", bytes: new TextEncoder().encode(random.pick(TEXTS)) }
})

const spoilBytes: Mutation = (draft, random) => {
  const bytes = Uint8Array.from(bytesOf(draft.body))
  if (bytes.byteLength === 0) return draft
  for (let time = random.below(4); time >= 0; time--) {
    bytes[random.below(bytes.byteLength)] = random.pick([0, 0x22, 0x5c, 0x7b, 0x80, 0xc0, 0xff])
  }
  return { ...draft, body: { _tag: "Bytes", bytes } }
}

const truncate: Mutation = (draft, random) => {
  const bytes = bytesOf(draft.body)
  const length = random.below(bytes.byteLength + 1)
  return { ...draft, body: { _tag: "Bytes", bytes: bytes.subarray(0, length) } }
}

const breakOff: Mutation = (draft, random) => ({
  ...draft,
  breaksAfter: random.below(bytesOf(draft.body).byteLength + 1)
})

/** Unexpected encoded texts for a path or a query. */
const SEGMENTS: ReadonlyArray<string> = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%2F",
  "a%2Fb",
  "a/b/c",
  "%00",
  "a%00b",
  "%",
  "%zz",
  "%ff",
  "%ED%A0%80",
  "%C0%AF",
  "é",
  "%E2%80%AE",
  "constructor",
  "__proto__",
  "toString",
  "-1",
  "0",
  "1e9",
  "0x10",
  "%D9%A3",
  "99999999999999999999",
  "NaN",
  "Infinity",
  "true",
  "null",
  "undefined",
  "@%7B0.days.ago%7D",
  "@%7B999999999999.months.ago%7D",
  "@%7B9999-99-99T99:99:99%7D",
  "~99999999999",
  "%23-1",
  "1..2",
  "NOW..1",
  "'%20OR%201=1",
  "x".repeat(3_000)
]

const spoilPath: Mutation = (draft, random) => {
  const names = Object.keys(draft.path)
  if (names.length === 0) return draft
  return { ...draft, path: { ...draft.path, [random.pick(names)]: random.pick(SEGMENTS) } }
}

const extendPath: Mutation = (draft, random) => ({
  ...draft,
  suffix: random.pick(["/", "//", "/x", "/..", "%00", ";a=b", "#x", " "])
})

const spoilQuery: Mutation = (draft, random) => {
  const names = draft.operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => name)
  const name = random.pick([...names, "unknown", "__proto__", "page", "", "%zz"])
  const added = `${name}=${random.pick(SEGMENTS)}`
  const again = random.chance(0.2) ? Array.from({ length: 500 }, () => added) : [added]
  return { ...draft, query: [...draft.query, ...again] }
}

const HEADERS: ReadonlyArray<readonly [string, string]> = [
  ["content-type", ""],
  ["content-type", "text/plain"],
  ["content-type", "application/xml"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "multipart/form-data"],
  ["content-type", "multipart/form-data; boundary="],
  ["content-type", `multipart/form-data; boundary=${"b".repeat(300)}`],
  ["content-type", "application/x-www-form-urlencoded"],
  ["content-encoding", "gzip"],
  ["content-encoding", "identity"],
  ["content-length", "-1"],
  ["content-length", "abc"],
  ["content-length", "99999999999999999999"],
  ["authorization", ""],
  ["authorization", "Bearer"],
  ["authorization", "Basic Og=="],
  ["authorization", "Bearer attestry_user_\u0000"],
  ["authorization", `Bearer ${"x".repeat(10_000)}`],
  ["cookie", "attestry_session=%00"],
  ["cookie", "=;;=;"],
  ["x-csrf-token", "\u0000"],
  ["x-request-id", "x".repeat(1_000)],
  ["x-request-id", "a\r\nb"],
  ["idempotency-key", "\u0000"],
  ["x-beta-features", "controls,,\u0000"]
]

const replaceHeader: Mutation = (draft, random) => {
  const [name, value] = random.pick(HEADERS)
  const others = draft.headers.filter(([each]) => each !== name)
  return { ...draft, headers: [...others, [name, value]] }
}

const repeatHeader: Mutation = (draft, random) => {
  const added = random.pick(random.chance(0.5) ? HEADERS : [...draft.headers, HEADERS[0]])
  if (added === undefined) return draft
  const again = Array.from({ length: 1 + random.below(3) }, () => added)
  return {
    ...draft,
    headers: random.chance(0.5) ? [...draft.headers, ...again] : [...again, ...draft.headers]
  }
}

const dropHeader: Mutation = (draft, random) => {
  const dropped = random.below(draft.headers.length)
  return { ...draft, headers: draft.headers.filter((_, index) => index !== dropped) }
}

const changeMethod: Mutation = (draft, random) => ({
  ...draft,
  method: random.pick(["GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "put"])
})

const PART_HEADERS: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["Content-Disposition: form-data"],
  ['Content-Disposition: form-data; name=""'],
  ['Content-Disposition: form-data; name="unknown"'],
  ['Content-Disposition: form-data; name="data_json"; filename="a.json"'],
  ['Content-Disposition: form-data; name="attachment_file"; filename="../../\u0000"'],
  ['Content-Disposition: form-data; name="attachment_file"; filename=""'],
  ['Content-Disposition: attachment; name="data_json"'],
  ["no colon at all"],
  [`X-Long: ${"x".repeat(20_000)}`, 'Content-Disposition: form-data; name="data_json"']
]

const spoilForm: Mutation = (draft, random) => {
  if (draft.body._tag !== "Form") return draft
  const { parts } = draft.body
  const added = { headers: random.pick(PART_HEADERS), text: random.pick(TEXTS).slice(0, 2_000) }
  const times = random.chance(0.2) ? 25 : 1
  return {
    ...draft,
    body: {
      _tag: "Form",
      parts: random.chance(0.3)
        ? parts.slice(1)
        : [...parts, ...Array.from({ length: times }, () => added)],
      isClosed: random.chance(0.8)
    }
  }
}

const mutations: ReadonlyArray<Mutation> = [
  replaceField,
  replaceField,
  replaceField,
  dropField,
  addField,
  replaceText,
  spoilBytes,
  truncate,
  breakOff,
  spoilPath,
  spoilPath,
  extendPath,
  spoilQuery,
  spoilQuery,
  replaceHeader,
  repeatHeader,
  dropHeader,
  changeMethod,
  spoilForm,
  widen,
  repeatMember,
  blurForm,
  blurForm
]

/** A draft with one to three errors. */
export const apply: Mutation = (draft, random) => {
  let spoiled = draft
  for (let times = 1 + random.below(3); times > 0; times--) {
    spoiled = random.pick(mutations)(spoiled, random)
  }
  return spoiled
}
