/** The states of a read: a skeleton while it loads, the problem where it failed, and the value, also an old one. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { ProblemNote } from "./ProblemNote.js"
import { knownOf, type QueryState } from "./QueryCache.js"

/** A skeleton is shown after this long, so that quick answers do not flicker. */
const SKELETON_AFTER_MS = 150

const LINES = ["a", "b", "c", "d", "e"]

/** Grey lines where text will be. */
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

/** Draws a read. */
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
