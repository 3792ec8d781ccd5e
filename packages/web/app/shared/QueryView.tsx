/**
 * Renders the states of a query: a skeleton while it loads, the problem if it failed, and the value, even a stale
 * one.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { ProblemNote } from "./ProblemNote.js"
import { knownOf, type QueryState } from "./QueryCache.js"

/** WHY a delay: quick answers would flicker. */
const SKELETON_AFTER_MS = 150

const LINES = ["a", "b", "c", "d", "e"]

/** Grey lines in place of text. */
export const Skeleton = () => {
  const isShown = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown.value = true
    }, SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return (
    <div class="skeleton" aria-busy="true">
      <span class="visually-hidden" role="status">
        Loading
      </span>
      {isShown.value ? LINES.map((line) => <div key={line} class="skeleton-line" />) : null}
    </div>
  )
}

export const QueryView = <A,>({
  state,
  retry,
  children
}: {
  readonly state: QueryState<A>
  readonly retry: () => void
  readonly children: (value: A, at: number) => ComponentChildren
}) => {
  const known = knownOf(state)
  const isEnded = state._tag === "Failed" && state.problem.kind === "signed-out"
  return (
    <>
      {state._tag === "Failed" && !isEnded ? (
        <ProblemNote problem={state.problem} retry={retry} />
      ) : null}
      {known === undefined ? (
        state._tag === "Loading" || isEnded ? (
          <Skeleton />
        ) : null
      ) : (
        children(known.value, known.at)
      )}
    </>
  )
}
