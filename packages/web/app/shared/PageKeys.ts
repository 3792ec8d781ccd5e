/**
 * Single-key shortcuts of a page, such as `[` for the previous snapshot. They are inactive in fields, and can be
 * turned off.
 */
import { useEffect, useRef } from "preact/hooks"
import { preferences } from "./Preferences.js"

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"))

/** The element that gets a key. WHY the path: the editor is in a shadow root, and `target` is its host. */
const targetOf = (event: KeyboardEvent): EventTarget | undefined => event.composedPath()[0]

/** WHY: an open dialog gets the keys; the page behind it must not react. */
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

/** The action of each key; a key without an action is ignored. */
export interface PageKeys {
  readonly [key: string]: (() => void) | undefined
}

/** Handles keys while the component is mounted. */
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
