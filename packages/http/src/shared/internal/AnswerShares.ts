/**
 * Bounds the answers that are made at the same time and what they hold, and shares both between orgs.
 *
 * A request waits for a share before it reads. A free share goes to the waiting org that holds the least, and one org
 * never holds more than half, so the answers of one org delay those of others by little. A request that has waited for
 * too long is refused. INVARIANT: a request takes one share and waits for no other, so no two wait for each other.
 */
import * as Effect from "effect/Effect"

/** How much answers may hold at the same time. */
export interface AnswerLimits {
  /** How many answers are made at the same time. */
  readonly answers: number
  readonly answersPerOrg: number
  /** How many bytes answers hold that are made or sent. */
  readonly bytes: number
  readonly bytesPerOrg: number
  /** A request that has waited for so long is refused. */
  readonly waitMillis: number
}

/** The share of an answer while it is made, and longer where it is kept. */
export interface AnswerShare {
  /** The answer is made; it holds this number of bytes until `release` is called. */
  readonly keep: (bytes: number) => void
  /** Gives the share back; a second call does nothing. */
  readonly release: () => void
}

/** A request has waited for a share for too long. */
export class NoShare {
  readonly _tag = "NoShare"
}

interface OrgShare {
  making: number
  bytes: number
  /** In the order of arrival. */
  readonly waiting: Set<Reservation>
}

/** The share that a request holds or waits for. */
interface Reservation {
  readonly org: string
  isMaking: boolean
  bytes: number
  grant: () => void
}

/** Shares of answers. */
export interface AnswerShares {
  /**
   * Waits for a share of a size and runs the work, which holds the share until its end, or until it is released
   * where the work has kept it. Bytes beyond what one org may hold count as that.
   */
  readonly within: <A, E, R>(
    wanted: { readonly org: string; readonly bytes: number },
    work: (share: AnswerShare) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | NoShare, R>
}

/** Shares within limits. */
export const make = (limits: AnswerLimits): AnswerShares => {
  /** INVARIANT: an org that was served comes after those that were not. */
  const orgs = new Map<string, OrgShare>()
  const all = { making: 0, bytes: 0 }
  let waiters = 0

  const shareOf = (org: string): OrgShare => {
    const known = orgs.get(org)
    if (known !== undefined) return known
    const made: OrgShare = { making: 0, bytes: 0, waiting: new Set() }
    orgs.set(org, made)
    return made
  }

  const forgetUnused = (org: string, { making, bytes, waiting }: OrgShare) => {
    if (making === 0 && bytes === 0 && waiting.size === 0) orgs.delete(org)
  }

  const fitsOrg = (share: OrgShare, bytes: number): boolean =>
    share.making < limits.answersPerOrg && share.bytes + bytes <= limits.bytesPerOrg

  const fitsAll = (bytes: number): boolean =>
    all.making < limits.answers && all.bytes + bytes <= limits.bytes

  const add = (share: OrgShare, making: number, bytes: number) => {
    share.making += making
    share.bytes += bytes
    all.making += making
    all.bytes += bytes
  }

  /** The waiting org that holds the least, of those that may hold more. */
  const neediest = (): OrgShare | undefined => {
    let found: OrgShare | undefined
    for (const share of orgs.values()) {
      const [first] = share.waiting
      if (first === undefined || !fitsOrg(share, first.bytes)) continue
      if (found === undefined || share.bytes < found.bytes) found = share
    }
    return found
  }

  /** WHY not another org where the neediest does not fit: small answers of others would keep it waiting. */
  const grantNext = () => {
    for (let share = neediest(); share !== undefined; share = neediest()) {
      const [next] = share.waiting
      if (next === undefined || !fitsAll(next.bytes)) return
      share.waiting.delete(next)
      waiters -= 1
      next.isMaking = true
      add(share, 1, next.bytes)
      orgs.delete(next.org)
      orgs.set(next.org, share)
      next.grant()
    }
  }

  const change = (reservation: Reservation, bytes: number) => {
    const share = shareOf(reservation.org)
    add(share, reservation.isMaking ? -1 : 0, bytes - reservation.bytes)
    reservation.isMaking = false
    reservation.bytes = bytes
    forgetUnused(reservation.org, share)
    grantNext()
  }

  const wait = (reservation: Reservation) =>
    Effect.async<void, NoShare>((resume) => {
      const share = shareOf(reservation.org)
      const leave = () => {
        clearTimeout(late)
        if (share.waiting.delete(reservation)) {
          reservation.bytes = 0
          waiters -= 1
        }
        forgetUnused(reservation.org, share)
      }
      const late = setTimeout(() => {
        leave()
        resume(Effect.fail(new NoShare()))
        grantNext()
      }, limits.waitMillis)
      reservation.grant = () => {
        clearTimeout(late)
        resume(Effect.void)
      }
      share.waiting.add(reservation)
      waiters += 1
      grantNext()
      return Effect.sync(leave)
    })

  const acquire = (reservation: Reservation): Effect.Effect<void, NoShare> =>
    Effect.suspend(() => {
      const share = shareOf(reservation.org)
      if (waiters > 0 || !fitsOrg(share, reservation.bytes) || !fitsAll(reservation.bytes))
        return wait(reservation)
      reservation.isMaking = true
      add(share, 1, reservation.bytes)
      return Effect.void
    })

  return {
    within: ({ org, bytes }, work) =>
      Effect.uninterruptibleMask((restore) => {
        const reservation: Reservation = {
          org,
          isMaking: false,
          bytes: Math.min(bytes, limits.bytesPerOrg),
          grant: () => undefined
        }
        let isKept = false
        const release = () => {
          if (reservation.isMaking || reservation.bytes > 0) change(reservation, 0)
        }
        const share: AnswerShare = {
          keep: (kept) => {
            isKept = true
            change(reservation, Math.min(kept, limits.bytesPerOrg))
          },
          release
        }
        return Effect.flatMap(
          // WHY on interruption: a share may be granted to a request that is interrupted in the same moment.
          Effect.onInterrupt(restore(acquire(reservation)), () => Effect.sync(release)),
          () =>
            Effect.onExit(restore(work(share)), () =>
              Effect.sync(() => {
                if (!isKept) release()
              })
            )
        )
      })
  }
}
