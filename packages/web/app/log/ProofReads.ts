/** Fetches the inputs of a proof from the API, and has the worker verify it. */
import { type Answer, callOf, type OperationName, type ParamsOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { Log } from "../shared/Contract.js"
import { send } from "../shared/Transport.js"
import type { ProofAnswer, Proved } from "./ProofMessages.js"
import { isAbout, type ProofSubject, queryOf } from "./ProofText.js"
import * as ProofWorker from "./ProofWorker.js"
import * as SeenLogs from "./SeenLogs.js"

/** The progress of a proof. */
export type Proving =
  | { readonly _tag: "Checking" }
  /** The log has no entry of it yet, or no checkpoint includes the entry. */
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Unsigned" }
  | { readonly _tag: "Failed"; readonly problem: ApiProblem }
  | { readonly _tag: "Broken"; readonly message: string }
  | {
      readonly _tag: "Checked"
      readonly answer: ProofAnswer
      readonly entry: string
      readonly log: Log
      /** The state that this browser had verified before. */
      readonly before?: SeenLogs.SeenLog
    }

/** WHY an exception: the first refused request ends a sequence of reads. */
class Refused extends Error {
  constructor(readonly problem: ApiProblem) {
    super(problem.message)
  }
}

const ask = async <Id extends OperationName>(id: Id, params: ParamsOf<Id>): Promise<Answer<Id>> => {
  const outcome = await send(callOf(id, params))
  if (outcome._tag === "Refused") throw new Refused(outcome.problem)
  if (outcome._tag === "Aborted") throw new Error("the request was ended")
  // WHY: the contract types the answer of this operation.
  return outcome.value as Answer<Id>
}

/** Turns a refused request into a value. */
const settled = (read: Promise<Proving>): Promise<Proving> =>
  read.catch(
    (error: unknown): Proving =>
      error instanceof Refused
        ? { _tag: "Failed", problem: error.problem }
        : { _tag: "Broken", message: error instanceof Error ? error.message : String(error) }
  )

/** At most this many entries of one subject are examined. */
const ENTRIES_MAX = 10

const vkeysOf = ({ keys }: Log): ReadonlyArray<string> => keys.map(({ vkey }) => vkey)

const readSubject = async (org: string, subject: ProofSubject): Promise<Proving> => {
  const log = await ask("log.get", { org })
  if (log.keys.length === 0) return { _tag: "Unsigned" }
  const { entries } = await ask("log.recorded", { org, query: queryOf(subject) })
  let last: Proving = { _tag: "Pending" }
  for (const { entry } of entries.slice(0, ENTRIES_MAX)) {
    const receipt = await ask("log.receipt", { org, entry, query: { wait: 2 } })
    if (receipt.status === "pending") continue
    const answer = await ProofWorker.check({ receipt, vkeys: vkeysOf(log) })
    if (answer.outcome !== "proved" || isAbout(subject, answer))
      return { _tag: "Checked", answer, entry, log }
    last = { _tag: "Checked", answer: { outcome: "refused", refusal: "other" }, entry, log }
  }
  return last
}

/** Verifies that a subject is in the log. */
export const ofSubject = (org: string, subject: ProofSubject): Promise<Proving> =>
  settled(readSubject(org, subject))

const grownOf = async (org: string, from: SeenLogs.SeenLog, to: number) => {
  if (from.size > to) return { from, hashes: [] }
  const { hashes } = await ask("log.consistency", { org, query: { from: from.size, to } })
  return { from, hashes }
}

const keep = ({ origin, size, root }: Proved, vkeys: ReadonlyArray<string>): void =>
  SeenLogs.put(origin, { size, root, vkeys, at: Math.floor(Date.now() / 1_000) })

const readHead = async (org: string, log: Log): Promise<Proving> => {
  if (log.checkpoint === null) return { _tag: log.keys.length === 0 ? "Unsigned" : "Pending" }
  const { events } = await ask("log.events", {
    org,
    query: { after: log.checkpoint.size - 2, limit: 1 }
  })
  const entry = events[0]?.entry
  if (entry === undefined) return { _tag: "Pending" }
  const receipt = await ask("log.receipt", { org, entry })
  if (receipt.status === "pending") return { _tag: "Pending" }
  const before = SeenLogs.find(log.origin)
  const grown = before === undefined ? undefined : await grownOf(org, before, receipt.size)
  const answer = await ProofWorker.check({
    receipt,
    vkeys: vkeysOf(log),
    ...(grown === undefined ? {} : { grown })
  })
  if (answer.outcome === "proved") keep(answer, vkeysOf(log))
  return { _tag: "Checked", answer, entry, log, ...(before === undefined ? {} : { before }) }
}

/**
 * Verifies that the newest entry is in the log, and that the log extends the state that this browser verified before.
 */
export const ofHead = (org: string, log: Log): Promise<Proving> => settled(readHead(org, log))
