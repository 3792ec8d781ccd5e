/** Files of the log, and the marks that tell the worker what was written. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { IncomingRequest } from "@attestry/http/HttpMessage"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import { withLock } from "../../src/internal/FileLock.js"
import * as LogMarks from "../../src/internal/LogMarks.js"
import * as LogStateFile from "../../src/internal/LogStateFile.js"

const inFolder = <A, E, R>(work: (file: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "attestry-state-"))),
    (folder) => work(join(folder, "state.json")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

describe("LogStateFile", () => {
  it.effect("remembers the last checkpoint of each log, also after it is opened again", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const first = yield* LogStateFile.make(file)
        deepStrictEqual(yield* first.find("a"), Option.none())
        yield* Effect.all(
          [1, 2, 3].map((size) => first.put("a", { size, root: `r${size}` })),
          { concurrency: "unbounded" }
        )
        yield* first.put("b", { size: 9, root: "r" })
        const again = yield* LogStateFile.make(file)
        deepStrictEqual(yield* again.find("a"), Option.some({ size: 3, root: "r3" }))
        deepStrictEqual(yield* again.find("b"), Option.some({ size: 9, root: "r" }))
        assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), {
          a: { size: 3, root: "r3" },
          b: { size: 9, root: "r" }
        })
      })
    )
  )

  it.effect("shares the file: it reads what others wrote, and keeps the larger size", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const [one, two] = [yield* LogStateFile.make(file), yield* LogStateFile.make(file)]
        yield* one.put("a", { size: 7, root: "r7" })
        deepStrictEqual(yield* two.find("a"), Option.some({ size: 7, root: "r7" }))
        yield* two.put("a", { size: 5, root: "r5" })
        yield* two.put("b", { size: 2, root: "r2" })
        deepStrictEqual(yield* two.find("a"), Option.some({ size: 7, root: "r7" }))
        deepStrictEqual(yield* one.find("b"), Option.some({ size: 2, root: "r2" }))
        yield* two.put("a", { size: 7, root: "r7" })
        const other = yield* Effect.flip(two.put("a", { size: 7, root: "other" }))
        assert.strictEqual(other._tag, "StoreError")
        assert.include(String(other.cause), "another root was signed for size 7")
        deepStrictEqual(yield* one.find("a"), Option.some({ size: 7, root: "r7" }))
      })
    )
  )

  it.effect("remembers what comes at the same time, and refuses only what it must", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const memory = yield* LogStateFile.make(file)
        yield* memory.put("l7", { size: 5, root: "r" })
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 300 }, (_, place) => `l${place}`),
          (origin) => Effect.either(memory.put(origin, { size: 5, root: `r${origin}` })),
          { concurrency: "unbounded" }
        )
        const refused = outcomes.flatMap((each, place) => (each._tag === "Left" ? [place] : []))
        assert.deepStrictEqual(refused, [7])
        const all = yield* memory.list
        assert.strictEqual(all.size, 300)
        deepStrictEqual(yield* memory.find("l7"), Option.some({ size: 5, root: "r" }))
        deepStrictEqual(yield* memory.find("l299"), Option.some({ size: 5, root: "rl299" }))
      })
    )
  )

  it.effect("tells every caller that waits when the file cannot be written", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const memory = yield* LogStateFile.make(file)
        yield* memory.put("a", { size: 1, root: "r1" })
        writeFileSync(file, "damaged")
        const outcomes = yield* Effect.forEach(
          ["a", "b", "c"],
          (origin) => Effect.either(memory.put(origin, { size: 2, root: "r2" })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          outcomes.map(({ _tag }) => _tag),
          ["Left", "Left", "Left"]
        )
        writeFileSync(file, "{}")
        yield* memory.put("a", { size: 3, root: "r3" })
        deepStrictEqual(yield* memory.find("a"), Option.some({ size: 3, root: "r3" }))
      })
    )
  )

  it.effect(
    "loses no checkpoint when two processes write at the same time",
    () =>
      inFolder((file) =>
        Effect.gen(function* () {
          const script = join(import.meta.dirname, "state-writer.mjs")
          const run = (first: number, step: number) =>
            Effect.promise(() =>
              promisify(execFile)(process.execPath, [
                script,
                file,
                ...[first, step, 60].map(String)
              ])
            )
          // One grows fast and ends with the largest size; the other stays behind and goes on writing.
          yield* Effect.all([run(1_000, 2), run(1, 1)], { concurrency: "unbounded" })
          assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), {
            shared: { size: 1_118, root: "r1118" },
            "own-1000": { size: 1_118, root: "r1118" },
            "own-1": { size: 60, root: "r60" }
          })
          assert.isFalse(existsSync(`${file}.lock`))
        })
      ),
    60_000
  )

  it.effect("refuses a file that it cannot read", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        writeFileSync(file, '{"a":1}')
        const failure = yield* Effect.flip(LogStateFile.make(file))
        assert.match(failure.message, /^ATTESTRY_LOG_STATE_FILE: /)
      })
    )
  )
})

describe("FileLock", () => {
  const ended = 2_147_483_646
  const attempt = (file: string) => Effect.promise(() => withLock(file, async () => "done"))

  it.effect(
    "takes over the lock of a process that has ended, and of another machine after a minute",
    () =>
      inFolder((file) =>
        Effect.gen(function* () {
          const lock = `${file}.lock`
          writeFileSync(lock, `${ended} ${hostname()}`)
          assert.strictEqual(yield* attempt(file), "done")
          writeFileSync(lock, "1 another-machine")
          const before = new Date(Date.now() - 61_000)
          utimesSync(lock, before, before)
          assert.strictEqual(yield* attempt(file), "done")
          assert.isFalse(existsSync(lock))
        })
      )
  )

  it.effect("waits for a lock that another process has", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const order: Array<string> = []
        yield* Effect.promise(() =>
          Promise.all(
            ["a", "b", "c"].map((name) =>
              withLock(file, async () => {
                order.push(`${name} begins`)
                await new Promise((resolve) => setTimeout(resolve, 20))
                order.push(`${name} ends`)
              })
            )
          )
        )
        assert.lengthOf(order, 6)
        for (const at of [0, 2, 4]) {
          assert.strictEqual(order[at + 1], order[at]?.replace("begins", "ends"))
        }
      })
    )
  )

  it.effect("gives the lock back when the work fails", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const failing = () => withLock(file, () => Promise.reject(new Error("no")))
        const failure = yield* Effect.flip(Effect.tryPromise(failing))
        assert.include(String(failure.cause), "no")
        assert.strictEqual(yield* attempt(file), "done")
      })
    )
  )
})

describe("LogMarks.orgOf", () => {
  it.each([
    ["PUT", "/api/v2/flows/acme", "acme"],
    ["POST", "/base/api/v2/attestations/acme/f/trail/t/generic?x=/api/v2/a/b", "acme"],
    ["DELETE", "/api/v2/environments/acme/prod", "acme"],
    ["GET", "/api/v2/flows/acme", undefined],
    ["PUT", "/flows/acme", undefined],
    ["POST", "/api/v2/session", undefined]
  ])("%s %s names %s", (method, url, org) =>
    assert.strictEqual(LogMarks.orgOf({ method, url }), org)
  )
})

describe("LogMarks.watch", () => {
  it.effect("marks the orgs of writes whose answers name entries, once each", () =>
    Effect.gen(function* () {
      const { watch, take } = yield* LogMarks.LogMarks
      const answering = (headers: { readonly [name: string]: string }) =>
        watch(() => Effect.succeed({ status: 200, headers, body: "" }))
      const request = (url: string): IncomingRequest => ({
        method: "PUT",
        url,
        headers: () => [],
        remoteAddress: "",
        body: (async function* () {})()
      })
      const recorded = answering({ "attestry-entries": "0123456789abcdef" })
      yield* recorded(request("/api/v2/flows/acme"))
      yield* recorded(request("/api/v2/flows/acme"))
      yield* answering({})(request("/api/v2/environments/other/prod/report/K8S"))
      assert.deepStrictEqual([take(), take()], [["acme"], []])
    }).pipe(Effect.provide(LogMarks.LogMarks.Default))
  )
})
