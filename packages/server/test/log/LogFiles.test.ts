/** Files of the log, and the marks that tell the worker what was written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
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
