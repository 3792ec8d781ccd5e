/** The pages visited in this tab, newest first; kept in memory only. */
import { effect, signal } from "@preact/signals"
import * as Navigation from "../shared/Navigation.js"
import { after, type Visited } from "./Visited.js"

/** The pages before the current one, newest first. */
export const visited = signal<ReadonlyArray<Visited>>([])

/** Starts to record visited pages. */
export const start = (): void => {
  effect(() => {
    const to = Navigation.route.value
    visited.value = after(visited.peek(), to)
  })
}
