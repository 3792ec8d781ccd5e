/** Wide invalid bodies are refused with a short response and in little time. */
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { blockedBy } from "./BlockedTime.js"
import { type Answer, onBothStores } from "./TestServer.js"

const JSON_TYPE = { "content-type": "application/json" }
const REFUSAL_BYTES_MAX = 65_536
const REPORT_BYTES = 16_777_216
const BODY_BYTES = 1_048_576

const filled = (head: string, item: string, tail: string, bytes: number): string =>
  head + item.repeat(Math.floor((bytes - head.length - tail.length) / item.length)) + tail

const keys = (bytes: number): string => {
  const members: Array<string> = []
  let size = 2
  for (let index = 0; size < bytes - 20; index++) {
    const member = `"k${index}":0`
    members.push(member)
    size += member.length + 1
  }
  return `{${members.join(",")}}`
}

const sizeOf = ({ body }: Answer): number => Buffer.byteLength(JSON.stringify(body))

const errorsOf = ({ body }: Answer) => (body as { errors: { [field: string]: string } }).errors

const MORE = "…"
const SAID_MORE = "More problems follow: only the first are shown [input: …]"

const WRONG_UNIT = /^Input should be a valid dictionary.* \[input: 0\]$/

/** Invalid reports of 16 MiB. */
const reports: { readonly [title: string]: () => string } = {
  "numbers in the place of units": () => filled('{"artifacts":[', "0,", "0]}", REPORT_BYTES),
  "empty units": () => filled('{"artifacts":[', "{},", "{}]}", REPORT_BYTES),
  "empty lists": () => filled("[", "[],", "[]]", REPORT_BYTES),
  "empty texts": () => filled('{"artifacts":[', '"",', '""]}', REPORT_BYTES),
  "one text": () => filled('{"artifacts":"', "x", '"}', REPORT_BYTES),
  "one text outside": () => filled('"', "x", '"', REPORT_BYTES),
  "open brackets": () => "[".repeat(REPORT_BYTES),
  "open brackets in units": () => filled('{"artifacts":[', "{", "", REPORT_BYTES),
  "unknown members": () => keys(REPORT_BYTES),
  "wrong digests of one unit": () =>
    `{"artifacts":[{"creationTimestamp":1,"digests":${keys(REPORT_BYTES - 100)}}]}`,
  "an unknown member with a large value": () =>
    `{"artifacts":[],"x":${filled("[", "{},", "{}]", REPORT_BYTES - 30)}}`,
  backslashes: () => filled('{"artifacts":["', "\\\\", '"]}', REPORT_BYTES),
  escapes: () => filled('{"artifacts":[', '"\\u0000",', "0]}", REPORT_BYTES),
  "white space": () => filled('{"artifacts":[', " ", "0]}", REPORT_BYTES),
  digits: () => filled('{"artifacts":[', "1", "]}", REPORT_BYTES),
  "a unit that is repeated within": () =>
    filled(
      '{"artifacts":[',
      '{"digests":{},"digests":{},"creationTimestamp":1},',
      "0]}",
      REPORT_BYTES
    )
}

/** Invalid bodies of 1 MiB for an operation with few fields. */
const bodies: { readonly [title: string]: () => string } = {
  "unknown members": () => keys(BODY_BYTES),
  "a list": () => filled("[", "{},", "{}]", BODY_BYTES),
  "a list in the place of a text": () => filled('{"name":[', "{},", "{}]}", BODY_BYTES),
  "a long unknown name": () => `{"${"x".repeat(BODY_BYTES - 20)}":0}`,
  "repeated members": () => filled("{", '"a":0,', '"a":0}', BODY_BYTES),
  "unknown members of long names": () =>
    `{${Array.from({ length: 200 }, (_, at) => `"${at}${"\\u0001é".repeat(500)}":0`).join(",")}}`,
  "texts that no store can keep": () => filled('{"name":[', '"\\u0000",', "0]}", BODY_BYTES)
}

/** The limit in milliseconds; a number of 16 MiB, which is parsed at once, blocks for 51 on two cores. */
const AT_ONCE_MS_MAX = 60

const ATTEMPTS_MAX = 8

/** The response, and the least blocking time of several attempts: other work adds to the rest. */
const held = async (work: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
  let [answer, least] = await blockedBy(work)
  for (let attempt = 1; attempt < ATTEMPTS_MAX && least >= AT_ONCE_MS_MAX; attempt++) {
    const [again, blocked] = await blockedBy(work)
    answer = again
    least = Math.min(least, blocked)
  }
  return [answer, least]
}

const PIECE_BYTES = 65_536

onBothStores("wide bodies", ({ call, keyOf, org, serve }) => {
  const env_name = "wide"

  /** Sends a body in pieces, as a socket does. WHY not `call`: its own work takes longer. */
  const send = async (method: string, path: string, bytes: Uint8Array): Promise<Answer> => {
    const headers: { readonly [name: string]: string } = {
      ...JSON_TYPE,
      authorization: `Bearer ${keyOf("admin")}`
    }
    async function* pieces() {
      for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES)
        yield bytes.subarray(at, at + PIECE_BYTES)
    }
    const { status, body } = await Effect.runPromise(
      serve({
        method,
        url: `/api/v2${path}`,
        headers: (name) => (headers[name] === undefined ? [] : [headers[name]]),
        remoteAddress: "",
        body: pieces()
      })
    )
    return { status, body: JSON.parse(String(body)), headers: new Headers() }
  }
  const reportPath = `/environments/${org}/${env_name}/report/docker`
  const report = (raw: string) => send("PUT", reportPath, Buffer.from(raw))

  beforeAll(async () => {
    await call("PUT /environments/{org}", { body: { name: env_name, type: "docker" } })
    await report("{}")
  })

  it("limits anonymous bodies to 4 KiB", async () => {
    const open = (size: number, headers = {}) =>
      call("POST /session", {
        as: "nobody",
        raw: filled('{"api_key":"', "x", '"}', size),
        headers: { ...JSON_TYPE, ...headers }
      })
    assert.strictEqual((await open(4_096)).status, 401)
    const over = await open(4_097)
    assert.deepStrictEqual(
      [over.status, over.body],
      [413, { message: "the body has more than 4096 bytes" }]
    )
    const wide = await call("POST /session", { as: "nobody", raw: keys(4_096), headers: JSON_TYPE })
    assert.strictEqual(wide.status, 400)
    assert.strictEqual(Object.keys(errorsOf(wide)).length, 101)
  })

  it("reports a hundred problems and that there are more", async () => {
    const answer = await report(filled('{"artifacts":[', "0,", "0]}", 1_000))
    assert.strictEqual(answer.status, 400)
    const errors = errorsOf(answer)
    assert.deepStrictEqual(Object.keys(errors), [
      ...Array.from({ length: 100 }, (_, index) => `artifacts[${index}]`),
      MORE
    ])
    assert.match(errors["artifacts[99]"] ?? "", WRONG_UNIT)
    assert.strictEqual(errors[MORE], SAID_MORE)
    const exact = errorsOf(await report(`{"artifacts":[${"0,".repeat(99)}0]}`))
    assert.strictEqual(Object.keys(exact).length, 100)
    assert.isFalse(Object.hasOwn(exact, MORE))
  })

  for (const [title, make] of Object.entries(reports)) {
    it(`refuses a report of ${title} without blocking other requests`, async () => {
      const bytes = Buffer.from(make())
      const [answer, blocked] = await held(() => send("PUT", reportPath, bytes))
      assert.strictEqual(answer.status, 400)
      assert.isBelow(sizeOf(answer), REFUSAL_BYTES_MAX)
      assert.isBelow(blocked, AT_ONCE_MS_MAX)
    })
  }

  it("finds the one invalid unit of a large report", async () => {
    const unit = `{"digests":{"image":"${"a".repeat(64)}"},"creationTimestamp":1},`
    const answer = await report(filled('{"artifacts":[', unit, "0]}", REPORT_BYTES))
    const last = Math.floor((REPORT_BYTES - 17) / unit.length)
    assert.deepStrictEqual(
      [answer.status, Object.keys(errorsOf(answer))],
      [400, [`artifacts[${last}]`]]
    )
    assert.match(errorsOf(answer)[`artifacts[${last}]`] ?? "", WRONG_UNIT)
  })

  for (const [title, make] of Object.entries(bodies)) {
    it(`refuses a body of ${title} without blocking other requests`, async () => {
      const bytes = Buffer.from(make())
      const [answer, blocked] = await held(() => send("PUT", `/flows/${org}`, bytes))
      assert.strictEqual(answer.status, 400)
      assert.isBelow(sizeOf(answer), REFUSAL_BYTES_MAX)
      assert.isBelow(blocked, AT_ONCE_MS_MAX)
    })
  }
})
