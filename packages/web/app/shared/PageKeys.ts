/** Single keys of one page, such as `[` for the snapshot before: outside of fields, unless they are switched off. */
import { useEffect, useRef } from "preact/hooks"
import { preferences } from "./Preferences.js"

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"))

/** The element that a key goes to. WHY the path: the editor is in a shadow root, of which `target` names the host. */
const targetOf = (event: KeyboardEvent): EventTarget | undefined => event.composedPath()[0]

/** WHY: an open dialog has the keys, and nothing behind it may act on them. */
export const isBehindDialog = (): boolean => document.querySelector("dialog[open]") !== null

/** Whether a key may act as a shortcut. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !isBehindDialog() &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  preferences.value.shortcuts === "on" &&
  !isField(targetOf(event))

/** The action of each key while the component is shown; an absent action leaves the key alone. */
export interface PageKeys {
  readonly [key: string]: (() => void) | undefined
}

/** Listens to keys while the component is shown. */
export const usePageKeys = (keys: PageKeys): void => {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      const act = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
}
