/**
 * Client of the policy worker over any channel: numbers the questions, and ends a worker that does not answer in
 * time.
 *
 * It uses no browser API, so tests can pass their own channel.
 */
import type { Facts } from "@attestry/core/PolicyFacts"
import type { Kind, Reply, WorkerRequests } from "./PolicyWorkerMessages.js"

export interface Channel {
  readonly post: (message: unknown) => void
  readonly end: () => void
}

/** Starts a worker and passes its messages and failures to the callbacks. */
export type Start = (on: {
  readonly message: (reply: Reply) => void
  readonly failure: (message: string) => void
}) => Channel

export class PolicyWorkerFailure extends Error {
  override readonly name = "PolicyWorkerFailure"
}

export interface PolicyWorker {
  readonly ask: <K extends Kind>(
    kind: K,
    asked: WorkerRequests[K]["asked"]
  ) => Promise<WorkerRequests[K]["answer"]>
  /** Evaluates rows. Facts are sent to each worker once, under a key. */
  readonly evaluate: (
    asked: Omit<WorkerRequests["evaluate"]["asked"], "facts">,
    facts: ReadonlyArray<Facts>
  ) => Promise<WorkerRequests["evaluate"]["answer"]>
  readonly end: () => void
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (failure: PolicyWorkerFailure) => void
}

/** WHY: core limits the cost of parsing and evaluation, so a worker that takes longer is stuck. */
export const PATIENCE_MS = 10_000

/** Makes the client; the worker starts with the first question. */
export const make = (start: Start): PolicyWorker => {
  const waiting = new Map<number, Waiting>()
  let channel: Channel | undefined
  let sent = new Set<string>()
  let last = 0

  const end = (why: string) => {
    channel?.end()
    channel = undefined
    sent = new Set()
    const failed = [...waiting.values()]
    waiting.clear()
    for (const { reject } of failed) reject(new PolicyWorkerFailure(why))
  }

  const settle = (reply: Reply) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ("failure" in reply) asked?.reject(new PolicyWorkerFailure(reply.failure))
    else asked?.resolve(reply.answer)
  }

  const ask = <K extends Kind>(
    kind: K,
    asked: WorkerRequests[K]["asked"]
  ): Promise<WorkerRequests[K]["answer"]> =>
    new Promise<WorkerRequests[K]["answer"]>((resolve, reject) => {
      channel ??= start({ message: settle, failure: end })
      last += 1
      const id = last
      const timer = setTimeout(() => end("the policy worker took too long"), PATIENCE_MS)
      waiting.set(id, {
        resolve: (answer) => {
          clearTimeout(timer)
          // WHY: the worker answers a question with the answer of its kind.
          resolve(answer as WorkerRequests[K]["answer"])
        },
        reject: (failure) => {
          clearTimeout(timer)
          reject(failure)
        }
      })
      channel.post({ id, kind, ...asked })
    })

  return {
    ask,
    evaluate: (asked, facts) => {
      const isKnown = channel !== undefined && sent.has(asked.key)
      const answer = ask("evaluate", isKnown ? asked : { ...asked, facts })
      sent.add(asked.key)
      return answer
    },
    end: () => end("the policy worker was ended")
  }
}
