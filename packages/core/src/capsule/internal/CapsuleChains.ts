/**
 * The chains of a capsule: each entry names the one before it about the same subject, so that an entry that is left out
 * breaks the chain. Pure.
 */
import type { ChainHead } from "../Capsule.js"
import { type CapsuleFact, subjectKey } from "./CapsuleFacts.js"

/** A chain that was followed from its newest entry. */
export interface FollowedChain {
  readonly head: ChainHead
  readonly entries: number
  /** Why it is not whole; undefined if it is. */
  readonly problem: string | undefined
}

const problemAt = (
  facts: ReadonlyMap<number, CapsuleFact>,
  index: number,
  subject: string
): string | undefined => {
  const fact = facts.get(index)
  if (fact === undefined) return `entry ${index} is not shown`
  if (fact.subject !== subject) return `entry ${index} is about something else`
  if (fact.isPartial) return `entry ${index} is shown in part`
  return fact.prev !== null && fact.prev >= index ? `entry ${index} names a later one` : undefined
}

const follow = (
  facts: ReadonlyMap<number, CapsuleFact>,
  head: ChainHead,
  known: number
): FollowedChain => {
  const subject = subjectKey(head.subject)
  let [next, entries]: [number | null, number] = [head.index, 0]
  while (next !== null) {
    const problem = problemAt(facts, next, subject)
    if (problem !== undefined) return { head, entries, problem }
    entries += 1
    next = facts.get(next)?.prev ?? null
  }
  const isWhole = entries === known
  return { head, entries, problem: isWhole ? undefined : "it has entries that the chain lacks" }
}

/** Follows every chain. */
export const followAll = (
  heads: ReadonlyArray<ChainHead>,
  facts: ReadonlyMap<number, CapsuleFact>
): ReadonlyMap<string, FollowedChain> => {
  const counts = new Map<string, number>()
  for (const { subject } of facts.values()) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  return new Map(
    heads.map((head) => {
      const key = subjectKey(head.subject)
      return [key, follow(facts, head, counts.get(key) ?? 0)]
    })
  )
}
