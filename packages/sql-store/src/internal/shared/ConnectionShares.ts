/**
 * Shares the connections of a pool between orgs, so that one org's slow statements leave connections to others.
 *
 * Orgs together hold at most `max` and one holds at most `perOrg`; requests beyond that wait, and a free connection
 * goes to the waiting org that holds the fewest. Work of no org takes its connections past this. INVARIANT: a request
 * takes a share only while it holds no connection, so no two requests wait for each other.
 */
import type { OrgId } from "@attestry/core/Identifier"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Acquired from "./Acquired.js"

/** How many connections may be in use. */
export interface ShareLimits {
  readonly max: number
  readonly perOrg: number
  /** A request that has waited for so long fails, as one that waits for the pool itself. */
  readonly waitMillis: number
}

interface Waiter {
  readonly grant: () => void
}

/** Whether a request has its share; the end of the request gives it back. */
interface ShareRequest {
  readonly org: OrgId
  isGranted: boolean
}

interface OrgShare {
  inUse: number
  /** In the order of arrival. */
  readonly waiting: Set<Waiter>
}

/** A share of the pool for each org that holds or wants one. */
export interface Shares {
  /** A share for the time of the scope; interrupted or too late, it was never taken. */
  readonly take: (org: OrgId) => Effect.Effect<void, SqlError, Scope.Scope>
}

const tooLate = (millis: number) =>
  new SqlError({ cause: new Error(`no connection became free within ${millis} ms`) })

/** Shares of a pool. */
export const make = ({ max, perOrg, waitMillis }: ShareLimits): Shares => {
  /** INVARIANT: the longest wait comes first among orgs that have waiters and hold equally many. */
  const shares = new Map<OrgId, OrgShare>()
  let inUse = 0

  const shareOf = (org: OrgId): OrgShare => {
    const known = shares.get(org)
    if (known !== undefined) return known
    const made: OrgShare = { inUse: 0, waiting: new Set() }
    shares.set(org, made)
    return made
  }

  const forgetUnused = (org: OrgId, share: OrgShare) => {
    if (share.inUse === 0 && share.waiting.size === 0) shares.delete(org)
  }

  /** The waiting org that holds the fewest. */
  const neediest = (): OrgShare | undefined => {
    let found: OrgShare | undefined
    for (const share of shares.values()) {
      if (share.waiting.size === 0 || share.inUse >= perOrg) continue
      if (found === undefined || share.inUse < found.inUse) found = share
    }
    return found
  }

  const grantNext = () => {
    while (inUse < max) {
      const share = neediest()
      const [waiter] = share?.waiting ?? []
      if (share === undefined || waiter === undefined) return
      share.waiting.delete(waiter)
      share.inUse += 1
      inUse += 1
      waiter.grant()
    }
  }

  const giveBack = (request: ShareRequest) => {
    if (!request.isGranted) return
    request.isGranted = false
    const share = shareOf(request.org)
    share.inUse -= 1
    inUse -= 1
    // WHY at the end of the map again: an org that was served comes after equals that wait.
    shares.delete(request.org)
    shares.set(request.org, share)
    forgetUnused(request.org, share)
    grantNext()
  }

  const wait = (request: ShareRequest) =>
    Effect.async<void, SqlError>((resume) => {
      const share = shareOf(request.org)
      const leave = () => {
        clearTimeout(late)
        share.waiting.delete(waiter)
        forgetUnused(request.org, share)
      }
      const late = setTimeout(() => {
        leave()
        resume(tooLate(waitMillis))
      }, waitMillis)
      const waiter: Waiter = {
        grant: () => {
          clearTimeout(late)
          request.isGranted = true
          resume(Effect.void)
        }
      }
      share.waiting.add(waiter)
      return Effect.sync(leave)
    })

  const acquire = (request: ShareRequest): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      const share = shareOf(request.org)
      if (inUse >= max || share.inUse >= perOrg) return wait(request)
      share.inUse += 1
      inUse += 1
      request.isGranted = true
      return Effect.void
    })

  return {
    take: (org) =>
      Effect.suspend(() => {
        const request: ShareRequest = { org, isGranted: false }
        const release = () => giveBack(request)
        // WHY also on interruption: a share may be granted to a request that is interrupted in the same moment.
        return Acquired.make(
          Effect.onInterrupt(Effect.interruptible(acquire(request)), () => Effect.sync(release)),
          release
        )
      })
  }
}

/** What a pool of so many connections gives to orgs: one stays for other work, and one org has half of the rest. */
export const limitsOf = (connections: number): Pick<ShareLimits, "max" | "perOrg"> => {
  const max = Math.max(1, connections - 1)
  return { max, perOrg: Math.ceil(max / 2) }
}
