/** Single keys of one page, such as `[` for the snapshot before: outside of fields, unless they are switched off. */
import { useEffect, useRef } from "preact/hooks"
import { preferences } from "./Preferences.js"

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"))

/** Whether a key may act as a shortcut. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  preferences.value.shortcuts === "on" &&
  !isField(event.target)

/** What each key does while the component is shown; an absent action leaves the key alone. */
export interface PageKeys {
  readonly [key: string]: (() => void) | undefined
}

/** Listens to keys while the component is shown. */
export const usePageKeys = (keys: PageKeys): void => {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector("dialog[open]") !== null) return
      const act = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
}
