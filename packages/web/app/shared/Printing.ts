/** Whether the page is being printed: tables then render every row. */
import { signal } from "@preact/signals"

/** True from before the print layout until printing has ended. */
export const isPrinting = signal(false)

const set = (value: boolean) => (): void => {
  isPrinting.value = value
}

/** Starts to follow printing, including the browser's emulated print view. */
export const start = (): void => {
  addEventListener("beforeprint", set(true))
  addEventListener("afterprint", set(false))
  matchMedia("print").addEventListener("change", ({ matches }) => set(matches)())
}
