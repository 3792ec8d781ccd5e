/** Which dialog of the shell is open: the command palette, the list of keys, or none. */
import { signal } from "@preact/signals"

/** The dialog that is open. */
export type Overlay = "nothing" | "palette" | "keys"

/** The open dialog of this tab. */
export const overlay = signal<Overlay>("nothing")

/** The text that was typed for the palette before it was loaded. WHY: its code is loaded when it is first opened. */
let typed = ""

/** Opens a dialog, or closes the one that is open. */
export const show = (next: Overlay): void => {
  if (next !== overlay.value) typed = ""
  overlay.value = next
}

/** Keeps a key for the palette while it is loaded; false for keys that type nothing. */
export const typeAhead = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
  if (ctrlKey || metaKey || altKey) return false
  if (key === "Backspace") typed = typed.slice(0, -1)
  else if ([...key].length === 1) typed += key
  else return false
  return true
}

/** Takes the text that was typed ahead. */
export const takeTyped = (): string => {
  const text = typed
  typed = ""
  return text
}
