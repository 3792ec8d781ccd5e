/**
 * How does exactly one process get a lock file?
 *
 * The file appears complete or not at all, by a hard link. A lock left by a dead process is
 * replaced only while holding a second lock, named after the dead one's nonce: of many takers one
 * succeeds, and none removes a living lock.
 */
import { randomUUID } from "node:crypto"
import { link, readdir, rename, rm, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import {
  call,
  Holder,
  heartbeatMs,
  isAlive,
  isUnreadable,
  LockCallFailed,
  read
} from "./LockHolder.js"
import * as ProcessIdentity from "./ProcessIdentity.js"
import { waitUntil } from "./RealTime.js"

/** A living process holds the lock. */
export class LockTaken extends Schema.TaggedError<LockTaken>()("LockTaken", { holder: Holder }) {
  override get message() {
    return `the lock is held by process ${this.holder.pid}: stop that process`
  }
}

const takeOverPatience = { everyMs: 20, forMs: 10_000 }

/** A complete lock file under a name of its own, ready to be linked to the lock's name. */
export interface Candidate {
  readonly path: string
  readonly holder: Holder
}

/** Claims the path once; `false` means that things moved meanwhile and another try is due. */
const claim = (
  path: string,
  candidate: Candidate
): Effect.Effect<boolean, LockCallFailed | LockTaken> =>
  Effect.gen(function* () {
    const linked = yield* Effect.either(call(() => link(candidate.path, path)))
    if (Either.isRight(linked)) return true
    if (linked.left.code !== "EEXIST") return yield* linked.left
    const holder = yield* read(path)
    if (Option.isNone(holder)) return false
    if (yield* isAlive(path, holder.value, candidate.holder.scope)) {
      return yield* new LockTaken({ holder: holder.value })
    }
    return yield* replace(path, holder.value, candidate)
  })

/** Replaces a dead holder's lock; `false` when that lock is no longer there. */
export const replace = (
  path: string,
  dead: Holder,
  candidate: Candidate
): Effect.Effect<boolean, LockCallFailed | LockTaken> => {
  const guard = `${path}.${dead.nonce}`
  const underGuard = Effect.gen(function* () {
    // INVARIANT: no nonce is used twice, so a lock that still carries this one is still dead.
    const now = yield* read(path)
    if (!Option.exists(now, ({ nonce }) => nonce === dead.nonce)) return false
    yield* call(() => link(candidate.path, `${candidate.path}.next`))
    yield* call(() => rename(`${candidate.path}.next`, path))
    return true
  })
  return Effect.acquireUseRelease(
    claim(guard, candidate).pipe(Effect.catchTag("LockTaken", () => Effect.succeed(false))),
    (guarded) => (guarded ? underGuard : Effect.succeed(false)),
    (guarded) => Effect.when(Effect.ignore(call(() => rm(guard))), () => guarded)
  )
}

const take = (path: string): Effect.Effect<Holder, LockCallFailed | LockTaken> =>
  Effect.gen(function* () {
    const self = yield* ProcessIdentity.current
    const holder: Holder = { ...self, nonce: randomUUID() }
    const candidate: Candidate = { path: `${path}.candidate-${holder.nonce}`, holder }
    const isOurs = yield* call(() =>
      writeFile(candidate.path, JSON.stringify(holder), { flag: "wx" })
    ).pipe(
      Effect.zipRight(waitUntil(claim(path, candidate), takeOverPatience)),
      Effect.ensuring(Effect.ignore(call(() => rm(candidate.path, { force: true }))))
    )
    if (!isOurs)
      return yield* new LockCallFailed({ code: "EBUSY", reason: "others keep taking it" })
    return holder
  })

/** Removes the lock, if it is still this holder's. */
const release = (path: string, { nonce }: Holder): Effect.Effect<void> =>
  read(path).pipe(
    Effect.flatMap((now) =>
      Option.exists(now, (holder) => holder.nonce === nonce) ? call(() => rm(path)) : Effect.void
    ),
    Effect.ignore
  )

/** Removes what processes that died while they took this lock left beside it. */
const sweep = (path: string, { scope }: Holder): Effect.Effect<void> =>
  Effect.gen(function* () {
    const names = yield* call(() => readdir(dirname(path)))
    const traces = names.filter((name) => name.startsWith(`${basename(path)}.`))
    yield* Effect.forEach(traces, (name) =>
      Effect.gen(function* () {
        const trace = join(dirname(path), name)
        const holder = yield* read(trace)
        // WHY: a candidate is unreadable while its living process still writes it.
        if (Option.isNone(holder) || isUnreadable(holder.value)) return
        if (!(yield* isAlive(trace, holder.value, scope))) yield* call(() => rm(trace))
      })
    )
  }).pipe(Effect.ignore)

const touch = (path: string): Effect.Effect<void> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => call(() => utimes(path, now / 1_000, now / 1_000))),
    Effect.ignore
  )

/** Takes the lock until the scope closes; a lock left by a dead process is taken over. */
export const acquire = (
  path: string
): Effect.Effect<void, LockCallFailed | LockTaken, Scope.Scope> =>
  Effect.gen(function* () {
    const holder = yield* Effect.acquireRelease(take(path), (own) => release(path, own))
    yield* sweep(path, holder)
    yield* Effect.forkScoped(Effect.repeat(touch(path), Schedule.spaced(heartbeatMs)))
  })
