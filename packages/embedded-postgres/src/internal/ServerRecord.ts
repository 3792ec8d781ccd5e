/**
 * Reads `postmaster.pid`, and decides whether it may be overwritten.
 *
 * PostgreSQL trusts the process id in it, which after a crash may belong to any other process. Here
 * the id counts only together with the start time that stands beside it.
 */
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ProcessIdentity from "./ProcessIdentity.js"

/** The content of `postmaster.pid`. */
export interface ServerRecord {
  readonly pid: number
  readonly startedAtSeconds: number
  /** The last line: `starting`, `ready`, `stopping` or `standby`; empty before the first. */
  readonly status: string
}

/** Reads the text of `postmaster.pid`; `None` when a crash cut it off. */
export const parse = (text: string): Option.Option<ServerRecord> => {
  const lines = text.split("\n")
  // WHY: a server without a postmaster, as initdb runs it, writes its id as a negative number.
  const pid = Math.abs(Number(lines[0]))
  return Number.isInteger(pid) && pid > 0
    ? Option.some({
        pid,
        startedAtSeconds: Number(lines[2] ?? 0),
        status: (lines[7] ?? "").trim()
      })
    : Option.none()
}

const pathIn = (cluster: string): string => join(cluster, "postmaster.pid")

/** The record of the server that runs, or last ran, in the cluster. */
export const read = (cluster: string): Effect.Effect<Option.Option<ServerRecord>> =>
  Effect.tryPromise(() => readFile(pathIn(cluster), "utf8")).pipe(
    Effect.map(parse),
    Effect.orElseSucceed(() => Option.none())
  )

const startToleranceSeconds = 5

/** The process id in the record, if the very server that wrote the record still runs. */
export const livingPid = (cluster: string): Effect.Effect<Option.Option<number>> =>
  Effect.gen(function* () {
    const record = yield* read(cluster)
    if (Option.isNone(record)) return Option.none()
    const { pid, startedAtSeconds } = record.value
    const started = yield* ProcessIdentity.startedAtSeconds(pid)
    return Option.exists(
      started,
      (seconds) => Math.abs(seconds - startedAtSeconds) <= startToleranceSeconds
    )
      ? Option.some(pid)
      : Option.none()
  })

/** Makes the record of a dead server harmless when its process id is another process's now. */
export const disown = async (cluster: string): Promise<void> => {
  const path = pathIn(cluster)
  const text = await readFile(path, "utf8").catch(() => undefined)
  if (text === undefined) return
  if (Option.isNone(parse(text))) return rm(path, { force: true })
  // WHY: the server ignores a record that names its own parent, but still checks the shared memory
  // that the record names; removing the file would lose that check.
  await writeFile(path, text.replace(/^-?\d+/, String(process.pid)))
}
