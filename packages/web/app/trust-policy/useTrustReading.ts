/** The policy worker's reading of a trust policy. Undefined until the worker has answered. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { policyWorker } from "../policy/PolicyWorker.js"
import type { TrustReading } from "../policy/PolicyWorkerMessages.js"

/** A reading, and the text that was read. */
export interface ReadTrust extends TrustReading {
  readonly text: string
}

/** Reads a text `wait` milliseconds after its last change; returns the previous reading until then. */
export const useTrustReading = (text: string, wait = 0): ReadTrust | undefined => {
  const reading = useSignal<ReadTrust | undefined>(undefined)
  useEffect(() => {
    let isWanted = true
    const timer = setTimeout(() => {
      policyWorker.ask("trust", { text }).then(
        (read) => {
          if (isWanted) reading.value = { ...read, text }
        },
        () => {
          // WHY no problem: without the policy worker, the server still reports problems when the text is saved.
          if (isWanted) reading.value = { problems: [], remarks: [], rules: [], text }
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
