/** The open dialog of the shell: the command palette, the list of shortcuts, or none. */
import { signal } from "@preact/signals"

export type Overlay = "nothing" | "palette" | "keys"

export const overlay = signal<Overlay>("nothing")

/** Text typed before the palette was ready. WHY: its code is loaded when it is first opened. */
let typed = ""

/** Opens a dialog, or closes the open one. */
export const show = (next: Overlay): void => {
  if (next !== overlay.value) typed = ""
  overlay.value = next
}

/** Buffers a key until the palette is ready; false for keys that type no character. */
export const typeAhead = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
  if (ctrlKey || metaKey || altKey) return false
  if (key === "Backspace") typed = typed.slice(0, -1)
  else if ([...key].length === 1) typed += key
  else return false
  return true
}

/** Returns and clears the buffered text. */
export const takeTyped = (): string => {
  const text = typed
  typed = ""
  return text
}
