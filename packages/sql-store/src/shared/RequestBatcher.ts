/**
 * Questions about one org that are asked in the same turn of the event loop, put to the database as one.
 *
 * WHY: most of what a small read costs is the round trip. Nobody waits for others to ask: what has come in
 * by the end of the turn is sent. INVARIANT: a question is only ever sent after it was asked, so whoever
 * asks sees everything that was committed before.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"

/** Asks about several keys of an org; those without an answer are left out. */
export type AskAll<A, E> = (
  org: OrgId,
  keys: ReadonlyArray<string>
) => Effect.Effect<ReadonlyMap<string, A>, E>

/** Asks about one key of an org. */
export type Ask<A, E> = (org: OrgId, key: string) => Effect.Effect<Option.Option<A>, E>

type Resume<A, E> = (answer: Effect.Effect<Option.Option<A>, E>) => void

/** Those who asked, by what they asked for. */
type Asked<A, E> = Map<string, Array<Resume<A, E>>>

const answer = <A, E>(asked: Asked<A, E>, exit: Exit.Exit<ReadonlyMap<string, A>, E>): void => {
  for (const [key, askers] of asked) {
    const found = Exit.map(exit, (answers) => Option.fromNullable(answers.get(key)))
    for (const resume of askers) resume(found)
  }
}

/** Gathers questions; all that went together fail together. */
export const make = <A, E>(askAll: AskAll<A, E>): Effect.Effect<Ask<A, E>> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    let waiting = new Map<OrgId, Asked<A, E>>()

    const send = () => {
      const sent = waiting
      waiting = new Map()
      for (const [org, asked] of sent) {
        runFork(askAll(org, [...asked.keys()])).addObserver((exit) => answer(asked, exit))
      }
    }

    return (org, key) =>
      Effect.async((resume) => {
        if (waiting.size === 0) setImmediate(send)
        const asked = waiting.get(org) ?? new Map<string, Array<Resume<A, E>>>()
        waiting.set(org, asked)
        const askers = asked.get(key) ?? []
        asked.set(key, askers)
        askers.push(resume)
      })
  })
