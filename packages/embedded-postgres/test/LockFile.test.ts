/** One holder at a time, whatever its predecessors left behind. */
import { readdir, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Either, Exit, Fiber, Option, Schedule, Scope } from "effect"
import * as LockFile from "../src/internal/LockFile.js"
import * as LockHolder from "../src/internal/LockHolder.js"
import * as ProcessIdentity from "../src/internal/ProcessIdentity.js"
import * as Fixture from "./ServerFixture.js"

const lockPath = Effect.map(Fixture.folder, (path) => join(path, "server.lock"))

const leave = (path: string, holder: Partial<LockHolder.Holder>) =>
  Effect.gen(function* () {
    const self = yield* ProcessIdentity.current
    const text = JSON.stringify({ ...self, nonce: "left", ...holder })
    yield* Effect.promise(() => writeFile(path, text))
  })

const traces = (path: string) => Effect.promise(() => readdir(dirname(path)))

const reused = { start: "1" }
const gone = { pid: 2 ** 22 + 1 }

describe("LockFile", () => {
  it.scopedLive("names its living holder to other processes, and is free after the scope", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      const scope = yield* Scope.make()
      yield* LockFile.acquire(path).pipe(Scope.extend(scope))
      const error = yield* Effect.flip(LockFile.acquire(path))
      assert.strictEqual(error._tag, "LockTaken")
      assert.include(error.message, String(process.pid))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* traces(path), [])
      yield* LockFile.acquire(path)
    })
  )

  for (const [name, holder] of [
    ["a process that is gone", gone],
    ["a process whose id another one has now", reused]
  ] as const) {
    it.scopedLive(`is taken over from ${name}`, () =>
      Effect.gen(function* () {
        const path = yield* lockPath
        yield* leave(path, holder)
        yield* LockFile.acquire(path)
        const now = yield* LockHolder.read(path)
        deepStrictEqual(
          Option.map(now, ({ pid }) => pid),
          Option.some(process.pid)
        )
        assert.deepStrictEqual(yield* traces(path), [basename(path)])
      })
    )
  }

  it.scopedLive("is taken over when a crash of the system cut it off", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      yield* Effect.promise(() => writeFile(path, ""))
      yield* LockFile.acquire(path)
    })
  )

  it.scopedLive("is taken over from a taker that died while taking it over", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      yield* leave(path, gone)
      yield* leave(`${path}.left`, { ...gone, nonce: "taker" })
      yield* leave(`${path}.left.taker`, { ...reused, nonce: "second" })
      yield* leave(`${path}.candidate-taker`, { ...gone, nonce: "taker" })
      yield* LockFile.acquire(path)
      assert.deepStrictEqual(yield* traces(path), [basename(path)])
    })
  )

  it.scopedLive("stays with a new holder when a slow taker still replaces the dead one", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      yield* LockFile.acquire(path)
      const holder = Option.getOrThrow(yield* LockHolder.read(path))
      const slow = { path: `${path}.candidate-slow`, holder: { ...holder, nonce: "slow" } }
      yield* leave(slow.path, slow.holder)
      const dead = { ...holder, ...gone, nonce: "left" }
      assert.isFalse(yield* LockFile.replace(path, dead, slow))
      deepStrictEqual(yield* LockHolder.read(path), Option.some(holder))
    })
  )

  it.scopedLive("goes to exactly one of many takers of a dead lock", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      const rounds = Array.from({ length: 30 }, (_, round) => round)
      for (const round of rounds) {
        if (round % 3 > 0) yield* leave(path, { ...gone, nonce: `left-${round}` })
        if (round % 3 > 1)
          yield* leave(`${path}.left-${round}`, { ...gone, nonce: `taker-${round}` })
        const scope = yield* Scope.make()
        const takers = Array.from({ length: 8 }, () => Effect.either(LockFile.acquire(path)))
        const results = yield* Effect.all(takers, { concurrency: "unbounded" }).pipe(
          Scope.extend(scope)
        )
        assert.deepStrictEqual(results.filter(Either.isRight).length, 1)
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(yield* traces(path), [])
      }
    })
  )

  it.scopedLive("respects a holder in another container while it touches the file", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      yield* leave(path, { scope: "elsewhere", pid: 1 })
      const touch = Effect.promise(() => utimes(path, new Date(), new Date()))
      const holder = yield* Effect.fork(Effect.repeat(touch, Schedule.spaced(200)))
      const error = yield* Effect.flip(LockFile.acquire(path))
      assert.strictEqual(error._tag, "LockTaken")
      yield* Fiber.interrupt(holder)
    })
  )

  it.scopedLive("is taken over from a container that has long been silent", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      yield* leave(path, { scope: "elsewhere", pid: 1 })
      yield* Effect.promise(() => utimes(path, 1, 1))
      yield* LockFile.acquire(path)
    })
  )
})

describe("ProcessIdentity", () => {
  it.live("finds this process, and none under an id that is not in use", () =>
    Effect.gen(function* () {
      const self = yield* ProcessIdentity.current
      assert.strictEqual(self.pid, process.pid)
      deepStrictEqual(yield* ProcessIdentity.startOf(process.pid), Option.some(self.start))
      deepStrictEqual(yield* ProcessIdentity.startOf(gone.pid), Option.none())
    })
  )

  it("reads a start time behind any program name, and none from a dead process", () => {
    const stat = (state: string) =>
      `7 (a) b (c) ${state} ${Array.from({ length: 18 }, () => "0").join(" ")} 4711 0 0`
    deepStrictEqual(ProcessIdentity.parseStat(stat("S")), Option.some("4711"))
    deepStrictEqual(ProcessIdentity.parseStat(stat("Z")), Option.none())
    deepStrictEqual(ProcessIdentity.parseStat(""), Option.none())
  })

  it("reads a start time from ps, and none from a dead process", () => {
    const start = "Sat Nov 14 02:10:55 2026"
    deepStrictEqual(ProcessIdentity.parsePs(`Ss   ${start}\n`), Option.some(start))
    deepStrictEqual(ProcessIdentity.parsePs(`Z+   ${start}\n`), Option.none())
    deepStrictEqual(ProcessIdentity.parsePs("\n"), Option.none())
  })
})
