/** The current time for texts like `2 h ago`: one timer for the whole page. */
import { signal } from "@preact/signals"

/** The time at the last tick, in epoch milliseconds. */
export const now = signal(Date.now())

/** Ticks every second while the tab is visible. */
export const start = (): void => {
  const tick = () => {
    if (document.visibilityState === "visible") now.value = Date.now()
  }
  setInterval(tick, 1_000)
  document.addEventListener("visibilitychange", tick)
}
