/**
 * What is known about digests, bounded and for a time: one question at once for each digest, however many ask.
 *
 * An answer is fresh for a while and valid until its receipt ends. After the fresh time the deployment is asked again;
 * if it does not answer, the valid answer still holds, and says so. A silence is kept for a moment too, so that a
 * deployment that is gone is not asked by every pod.
 */
import * as BoundedCache from "@attestry/core/BoundedCache"
import type { Finding, Reason } from "./AdmissionPolicy.js"

/** What a receipt says about a digest. */
export interface Verdict {
  readonly isCompliant: boolean
  readonly why: string
  readonly reasons: ReadonlyArray<Reason>
  /** When the receipt ends, in epoch milliseconds. */
  readonly endsMs: number
}

/** The parts and the times of a cache. */
export interface ReceiptCacheOptions {
  readonly now: () => number
  /** Asks about a key; fails with words for people. */
  readonly ask: (key: string, digest: string) => Promise<Verdict>
  /** The words of a failure. */
  readonly wordsOf: (failure: unknown) => string
  readonly sizeMax: number
  readonly freshMs: number
  /** The same for an answer that is no. WHY another: who repairs an artifact waits for it. */
  readonly refusedFreshMs: number
  readonly silenceMs: number
}

/** The counters of a cache. */
export interface ReceiptCacheCounts {
  hits: number
  asked: number
  shared: number
  stale: number
  failed: number
}

interface Kept {
  readonly verdict: Verdict | undefined
  readonly freshUntilMs: number
  /** Why the last question had no answer; undefined after an answer. */
  readonly silence: string | undefined
}

/** The cache. */
export interface ReceiptCache {
  /** What is known about a digest under a key, which names what decides too. */
  readonly find: (key: string, digest: string) => Promise<Finding>
  readonly counts: Readonly<ReceiptCacheCounts>
}

const findingOf = (digest: string, verdict: Verdict, stale: string | undefined): Finding =>
  verdict.isCompliant
    ? { type: "compliant", digest, stale }
    : { type: "refused", digest, why: verdict.why, reasons: verdict.reasons, stale }

/** Makes a cache. */
export const make = (options: ReceiptCacheOptions): ReceiptCache => {
  const { now, ask, wordsOf, sizeMax, freshMs, refusedFreshMs, silenceMs } = options
  const kept = BoundedCache.make<Kept>(sizeMax)
  const flights = new Map<string, Promise<Kept>>()
  const counts: ReceiptCacheCounts = { hits: 0, asked: 0, shared: 0, stale: 0, failed: 0 }

  const answered = (digest: string, { verdict, silence }: Kept): Finding => {
    const isValid = verdict !== undefined && now() < verdict.endsMs
    if (!isValid) return { type: "unanswered", digest, why: silence ?? "its receipt has ended" }
    if (silence !== undefined) counts.stale++
    return findingOf(digest, verdict, silence)
  }

  const question = async (key: string, digest: string): Promise<Kept> => {
    counts.asked++
    try {
      const verdict = await ask(key, digest)
      const ms = verdict.isCompliant ? freshMs : refusedFreshMs
      return { verdict, freshUntilMs: Math.min(now() + ms, verdict.endsMs), silence: undefined }
    } catch (failure) {
      // WHY: what happens without an answer is for the rule of the namespace to say.
      counts.failed++
      const verdict = kept.get(key)?.verdict
      return { verdict, freshUntilMs: now() + silenceMs, silence: wordsOf(failure) }
    }
  }

  const start = (key: string, digest: string): Promise<Kept> => {
    const flight = question(key, digest)
      .then((found) => kept.set(key, found))
      .finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  return {
    counts,
    find: async (key, digest) => {
      const found = kept.get(key)
      if (found !== undefined && now() < found.freshUntilMs) {
        counts.hits++
        // The newest entry is the one that was used last.
        return answered(digest, kept.set(key, found))
      }
      const flight = flights.get(key)
      if (flight !== undefined) counts.shared++
      return answered(digest, await (flight ?? start(key, digest)))
    }
  }
}
