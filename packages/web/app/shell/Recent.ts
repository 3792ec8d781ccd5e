/** The pages that were visited in this tab, newest first; kept in memory alone. */
import { effect, signal } from "@preact/signals"
import * as Navigation from "../shared/Navigation.js"
import { after, type Visited } from "./Visited.js"

/** The pages before the current one, newest first. */
export const visited = signal<ReadonlyArray<Visited>>([])

/** Begins to remember. */
export const start = (): void => {
  effect(() => {
    const to = Navigation.route.value
    visited.value = after(visited.peek(), to)
  })
}
