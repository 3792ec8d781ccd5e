/** Whether the page is being printed: tables then have every row. */
import { signal } from "@preact/signals"

/** True from before the page is laid out for paper until it was printed. */
export const isPrinting = signal(false)

const set = (value: boolean) => (): void => {
  isPrinting.value = value
}

/** Begins to notice printing, also where the browser is asked to show the print view. */
export const start = (): void => {
  addEventListener("beforeprint", set(true))
  addEventListener("afterprint", set(false))
  matchMedia("print").addEventListener("change", ({ matches }) => set(matches)())
}
