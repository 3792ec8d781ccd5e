/** Which dialog of the shell is open: the command palette, the list of keys, or none. */
import { signal } from "@preact/signals"

/** The dialog that is open. */
export type Overlay = "nothing" | "palette" | "keys"

/** The open dialog of this tab. */
export const overlay = signal<Overlay>("nothing")

/** Opens a dialog, or closes the one that is open. */
export const show = (next: Overlay): void => {
  overlay.value = next
}
