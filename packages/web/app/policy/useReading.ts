/** The policy worker's reading of a text: its rules and its problems. Undefined until the worker has answered. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { policyWorker } from "./PolicyWorker.js"
import type { Reading } from "./PolicyWorkerMessages.js"

/** A reading, and the text that was read. */
export interface ReadText extends Reading {
  readonly text: string
}

/** Reads a text `wait` milliseconds after its last change; returns the previous reading until then. */
export const useReading = (text: string | undefined, wait = 0): ReadText | undefined => {
  const reading = useSignal<ReadText | undefined>(undefined)
  useEffect(() => {
    if (text === undefined) return
    let isWanted = true
    const timer = setTimeout(() => {
      policyWorker.ask("read", { text }).then(
        (read) => {
          if (isWanted) reading.value = { ...read, text }
        },
        (failure: unknown) => {
          const message = failure instanceof Error ? failure.message : "the text cannot be read"
          if (isWanted)
            reading.value = {
              problems: [{ line: 1, column: 1, path: "", message }],
              rules: [],
              text
            }
        }
      )
    }, wait)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text, wait, reading])
  return reading.value
}
