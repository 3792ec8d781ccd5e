/** A backtest whose stream breaks off goes on by itself, and comes to the same; what lasts ends the command. */

import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { CommandFailure } from "../../src/shared/CommandFailure.js"
import * as AnswerLines from "../../src/transport/AnswerLines.js"
import { folder, type Ran, run } from "../shared/Run.js"

type Line = { readonly type: string; readonly [name: string]: unknown }

interface Answer {
  readonly status?: number
  readonly lines?: ReadonlyArray<Line | string>
  /** What becomes of the connection after the lines. */
  readonly ending?: "ends" | "breaks" | "hangs"
}

const started: Array<Server> = []

afterEach(() => {
  for (const server of started.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const textOf = (line: Line | string): string =>
  typeof line === "string" ? line : `${JSON.stringify(line)}\n`

/** Runs a backtest against answers that are given one after the other; the last is repeated. */
const against = async (
  answers: ReadonlyArray<Answer>,
  ...more: ReadonlyArray<string>
): Promise<Ran & { readonly cursors: ReadonlyArray<unknown> }> => {
  const cursors: Array<unknown> = []
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const {
        status = 200,
        lines = [],
        ending = "ends"
      } = answers[cursors.length] ?? answers.at(-1) ?? {}
      cursors.push(JSON.parse(Buffer.concat(pieces).toString("utf8")).cursor)
      response.writeHead(status, { "content-type": "application/json" })
      response.write(lines.map(textOf).join(""), () => {
        if (ending === "ends") response.end()
        if (ending === "breaks") request.socket.destroy()
      })
    })
  })
  started.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cwd = folder()
  writeFileSync(join(cwd, "p.yaml"), "_schema: https://example.com/v1\nartifacts: {}\n")
  const env = { ATTESTRY_URL: url, ATTESTRY_API_KEY: "canary-key-0123456789" }
  const timeout = answers.some(({ ending }) => ending === "hangs") ? "1s" : "30s"
  const argv = ["policy", "backtest", "p.yaml", "--org", "acme", "--timeout", timeout, ...more]
  return { ...(await run(argv, { cwd, env })), cursors }
}

const START: Line = { type: "started", horizon: { known: 9, at: 1_790_000_100 } }
const flip = (environment: string, name: string, more: object = {}): Line => ({
  type: "flip",
  environment,
  name,
  fingerprint: "a".repeat(64),
  first_index: 1,
  last_index: 2,
  from: 1_790_000_000,
  to: 1_790_000_010,
  was: true,
  would_be: false,
  reasons: [],
  ...more
})
const progress = (environment: string, cursor: string | null): Line => ({
  type: "progress",
  environment,
  played: 1,
  of: 4,
  flips: 1,
  cursor
})
const totals = (flips: number) => ({
  rows: flips,
  flips,
  artifacts: 1,
  non_compliant_hours: { was: 1, would_be: 2 },
  row_hours: { was: 1, would_be: 2 },
  unreproduced: { rows: 0, other_semantics: 0 }
})
const environment = (name: string, flips: number): Line => ({
  type: "environment",
  environment: name,
  ...totals(flips),
  now: null
})
const done = (flips: number): Line => ({ type: "done", totals: totals(flips), truncated: false })

const A = [flip("a", "x"), progress("a", "after-a"), environment("a", 1)]
const B_FIRST = [flip("b", "y", { continues: true }), progress("b", "in-b")]
const B_REST = [
  flip("b", "y", { continued: true, to: 1_790_000_050, last_index: 9 }),
  progress("b", null),
  environment("b", 1)
]
const WHOLE: Answer = { lines: [START, ...A, ...B_FIRST, ...B_REST, done(2)] }

describe("a backtest", () => {
  it("joins what parts divide", async () => {
    const { code, stdout, cursors } = await against([WHOLE], "-o", "json")
    assert.strictEqual(code, 0)
    const { flips, environments, totals: all } = JSON.parse(stdout)
    assert.deepStrictEqual(cursors, [undefined])
    assert.lengthOf(environments, 2)
    assert.strictEqual(all.flips, 2)
    assert.deepStrictEqual(
      flips.map(({ name, last_index, continues }: Line) => [name, last_index, continues]),
      [
        ["x", 2, undefined],
        ["y", 9, undefined]
      ]
    )
  })

  for (const ending of ["breaks", "ends", "hangs"] as const)
    it(`goes on from the last cursor where the stream ${ending}, and comes to the same`, async () => {
      const rest: Answer = { lines: [START, ...B_REST, done(2)] }
      const whole = await against([WHOLE], "-o", "json")
      const broken = [{ lines: [START, ...A, ...B_FIRST], ending }, rest]
      const { code, stdout, cursors } = await against(broken, "-o", "json")
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(cursors, [undefined, "in-b"])
      assert.strictEqual(stdout, whole.stdout)
    })

  it("gives each line once, although what came after the last cursor comes again", async () => {
    const broken: Answer = { lines: [START, ...A, ...B_FIRST, flip("b", "z")], ending: "breaks" }
    const late = [flip("b", "z"), progress("b", null), environment("b", 2)]
    const rest: Answer = { lines: [START, ...B_REST.slice(0, 1), ...late, done(3)] }
    const { code, stdout, cursors } = await against([broken, rest], "-o", "jsonl")
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(cursors, [undefined, "in-b"])
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      lines.map(({ type, name }) => name ?? type),
      [
        "started",
        "x",
        "progress",
        "environment",
        "progress",
        "y",
        "z",
        "progress",
        "environment",
        "done"
      ]
    )
  })

  it("goes on from the cursor that it was given", async () => {
    const broken: Answer = { lines: [START], ending: "breaks" }
    const rest: Answer = { lines: [START, ...B_REST, done(1)] }
    const { cursors } = await against([broken, rest], "--cursor", "given")
    assert.deepStrictEqual(cursors, ["given", "given"])
  })

  it("ends with 5 and names the last cursor where it does not come to an end", async () => {
    const failed: Line = { type: "failed", message: "the store is away", cursor: "in-b" }
    for (const last of [{ ending: "breaks" }, { lines: [failed] }] as ReadonlyArray<Answer>) {
      const answer = { ...last, lines: [START, ...A, ...B_FIRST, ...(last.lines ?? [])] }
      const { code, stderr, cursors } = await against([answer], "--retries", "2")
      assert.strictEqual(code, 5)
      assert.include(stderr, "--cursor in-b")
      assert.lengthOf(cursors, 3)
    }
  })

  it("ends at once for what lasts, and waits for what passes", async () => {
    const said = (status: number): Answer => ({ status, lines: ['{"message":"the sentence"}'] })
    for (const [status, code, attempts] of [
      [400, 6, 1],
      [401, 4, 1],
      [403, 4, 1],
      [404, 3, 1],
      [429, 5, 3],
      [500, 5, 1],
      [503, 5, 3]
    ] as const) {
      const ran = await against([said(status)], "--retries", "2")
      assert.deepStrictEqual([ran.code, ran.cursors.length], [code, attempts], String(status))
      assert.include(ran.stderr, "the sentence")
    }
    assert.strictEqual((await against([said(429), WHOLE])).code, 0)
  })

  it("takes no line for an answer that is none", async () => {
    for (const line of ["{\n", "[]\n", "1\n", "<h1>Sign in</h1>\n", '{"type":"done"}'])
      assert.strictEqual((await against([{ lines: [line] }], "--retries", "0")).code, 5, line)
  })
})

describe("a line", () => {
  const read = async (pieces: ReadonlyArray<string>) => {
    const body = async function* () {
      for (const piece of pieces) yield new TextEncoder().encode(piece)
    }
    const headers = { get: () => null }
    const answer = { status: 200, headers, headerList: [], body: body(), close: () => {} }
    const lines = AnswerLines.read({
      operation: "a.b",
      url: "",
      headers: {},
      payload: {},
      timeoutMs: 60_000,
      send: async () => answer,
      signal: new AbortController().signal,
      answered: async () => {},
      refused: async () => new CommandFailure("refused", "no")
    })
    const found: Array<unknown> = []
    for await (const line of lines) found.push(line)
    return found
  }

  it("may come in pieces, and letters too", async () => {
    const bytes = [...'{"a":"ü"}\n\n{"b":1}\n']
    assert.deepStrictEqual(await read(bytes), [{ a: "ü" }, { b: 1 }])
  })

  it("has at most 16 MiB", async () => {
    const piece = "x".repeat(1_048_576)
    const limit = Array.from({ length: 15 }, () => piece)
    const rest = "x".repeat(1_048_576 - 7)
    assert.lengthOf(await read(['{"a":"', ...limit, rest, '"', "}\n"]), 1)
    const error = await read(['{"a":"', ...limit, rest, 'xx"', "}\n"]).catch(
      (each: unknown) => each
    )
    assert.instanceOf(error, CommandFailure)
  })
})
