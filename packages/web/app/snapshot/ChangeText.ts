/** The change of a row in words, with a sign in front. */
import type { ShortRow } from "../shared/Contract.js"

/** A sign and its words; `isBad` highlights them. */
export interface ChangeText {
  readonly sign: string
  readonly text: string
  readonly isBad: boolean
}

const TEXTS: { readonly [type in ShortRow["annotation"]["type"]]: ChangeText | undefined } = {
  "started-compliant": { sign: "+", text: "started", isBad: false },
  "started-non-compliant": { sign: "+", text: "started", isBad: false },
  "started-unknown": { sign: "+", text: "started", isBad: false },
  "became-compliant": { sign: "✓", text: "became compliant", isBad: false },
  "became-non-compliant": { sign: "!", text: "became non-compliant", isBad: true },
  scaled: { sign: "↕", text: "scaled", isBad: false },
  "updated-provenance": { sign: "~", text: "provenance updated", isBad: false },
  changed: { sign: "~", text: "changed", isBad: false },
  exited: { sign: "−", text: "exited", isBad: false },
  unchanged: undefined
}

/** The words for an annotation, with instance counts if they differ. Undefined for an unchanged row. */
export const changeText = ({ type, was, now }: ShortRow["annotation"]): ChangeText | undefined => {
  const found = TEXTS[type]
  const isCounted = was !== now && was !== 0 && now !== 0
  if (found === undefined)
    return isCounted ? { sign: "↕", text: `${was} → ${now}`, isBad: false } : undefined
  return isCounted ? { ...found, text: `${found.text} ${was} → ${now}` } : found
}
