/**
 * Asks for waivers of what an emergency admitted, in the background: one request for each policy that the artifact
 * fails, each digest, reason and day, also when several replicas of this program admit pods of it.
 */
import { createHash } from "node:crypto"
import * as BoundedCache from "@attestry/core/BoundedCache"
import * as Reasons from "../assertion/Reasons.js"
import type { CommandFailure } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import type { Output } from "../shared/Output.js"
import { failureOf } from "../shared/Output.js"
import type { Scope } from "./AdmissionPolicy.js"
import type { DeploymentAccess } from "./DeploymentAccess.js"
import { paramsOf } from "./ReceiptSource.js"

/** An artifact that an emergency admitted. */
export interface Emergency {
  readonly scope: Scope
  readonly digest: string
  readonly namespace: string
  readonly reason: string
}

/** The counters of requests. */
export interface WaiverRequestCounts {
  requested: number
  failed: number
  waiting: number
}

/** The requests. */
export interface WaiverRequests {
  /** Begins a request, unless the same one was made today. It never fails. */
  readonly add: (emergency: Emergency) => void
  readonly counts: Readonly<WaiverRequestCounts>
  /** Ends when nothing waits. */
  readonly settled: () => Promise<void>
}

const DAY_MS = 86_400_000
/** WHY a day: an emergency is often one of the deployment too, which may be gone for hours. */
const GIVE_UP_MS = DAY_MS
const FIRST_PAUSE_MS = 2_000
const PAUSE_MAX_MS = 300_000
/** So many requests wait at once; more are logged and counted as failed. */
export const WAITING_MAX = 256
const ENDED = "this process ends, and the deployment had not answered; request it by hand"
const REMEMBERED_MAX = 10_000
const REASON_MAX = 1_500

const hashOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")

/** The policies that an artifact fails now. */
const failedPolicies = (answer: Json.Fields, digest: string): ReadonlyArray<string> => {
  if (answer.compliant === true) return []
  const names = Reasons.ofAssertion(answer, digest).map(({ policy_name }) => policy_name)
  return [...new Set(names)].filter((name) => name !== null)
}

/** WHY whole days: replicas that ask at the same time send the same request, which the server makes once. */
const endOf = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 2) * (DAY_MS / 1_000)

/** Asks for the waivers of an emergency; returns how many. */
const request = async (
  { access, nowMs }: { readonly access: DeploymentAccess; readonly nowMs: number },
  { scope, digest, namespace, reason }: Emergency
): Promise<number> => {
  const api = await access.api()
  const urlParams = paramsOf(scope)
  const answer = await api.call("assertion.assert", { path: { fingerprint: digest }, urlParams })
  const policies = failedPolicies(Json.object(answer), digest)
  const explanation = `break-glass in the namespace ${namespace}: ${reason.slice(0, REASON_MAX)}`
  const expires_at = endOf(nowMs)
  for (const policy_name of policies) {
    const payload = {
      policy_name,
      ...(scope.type === "environment" ? { environment: scope.environment } : {}),
      artifact_fingerprint: digest,
      reason: explanation,
      expires_at
    }
    const idempotencyKey = `admit-${hashOf(JSON.stringify(payload))}`
    await api.call("waiver.request", { payload, idempotencyKey })
  }
  return policies.length
}

/** WHY these: another attempt sends the same and gets the same answer. */
const isHopeless = ({ word }: CommandFailure): boolean => word !== "unanswered" && word !== "denied"

/** Makes the requests of a process, until the signal. */
export const make = (
  { host, output }: { readonly host: Host; readonly output: Output },
  access: DeploymentAccess,
  signal: AbortSignal
): WaiverRequests => {
  const counts: WaiverRequestCounts = { requested: 0, failed: 0, waiting: 0 }
  const begun = BoundedCache.make<true>(REMEMBERED_MAX)
  const running = new Set<Promise<void>>()

  const give = (emergency: Emergency, why: string): void => {
    counts.failed++
    output.warn(`no waiver was requested for ${emergency.digest}: ${why}`)
  }

  const attempts = async (emergency: Emergency): Promise<void> => {
    const untilMs = host.now() + GIVE_UP_MS
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        const made = await request({ access, nowMs: host.now() }, emergency)
        counts.requested += made
        if (made === 0) give(emergency, "no policy that it fails can be waived")
        return
      } catch (thrown) {
        // WHY: the request waits for the deployment.
        const failure = failureOf(thrown)
        if (failure.word === "denied") access.forget()
        const isOver = isHopeless(failure) || host.now() >= untilMs
        if (isOver && !signal.aborted) return give(emergency, failure.message)
      }
      // WHY: the end of the process ends the wait.
      await host.sleep(pauseMs, signal).catch(() => undefined)
      pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)
    }
    give(emergency, ENDED)
  }

  const start = async (emergency: Emergency): Promise<void> => {
    counts.waiting++
    try {
      await attempts(emergency)
    } catch (thrown) {
      give(emergency, signal.aborted ? ENDED : failureOf(thrown).message)
    } finally {
      counts.waiting--
    }
  }

  return {
    counts,
    add: (emergency) => {
      const { scope, digest, reason, namespace } = emergency
      const day = String(Math.floor(host.now() / DAY_MS))
      const key = hashOf(JSON.stringify(scope), digest, namespace, reason, day)
      if (begun.get(key) !== undefined) return
      if (counts.waiting >= WAITING_MAX) return give(emergency, "too many wait already")
      begun.set(key, true)
      const task = start(emergency).finally(() => running.delete(task))
      running.add(task)
    },
    settled: async () => {
      await Promise.all(running)
    }
  }
}
