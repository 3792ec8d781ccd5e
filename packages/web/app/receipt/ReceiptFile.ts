/** The request and the name of the file of a receipt. Pure. */
import { type Call, callOf } from "../shared/Api.js"

/** The verdict: of a snapshot, of one artifact that runs in it, or of an artifact in an environment now. */
export type Decided =
  | { readonly environment: string; readonly index: number; readonly fingerprint?: string }
  | { readonly environment: string; readonly asserted: string }

/** The request for a receipt. */
export const callFor = (org: string, decided: Decided): Call => {
  const { environment } = decided
  if ("asserted" in decided)
    return callOf("receipt.assertion", {
      org,
      fingerprint: decided.asserted,
      query: { environment_name: environment }
    })
  return callOf("receipt.snapshot", {
    org,
    env_name: environment,
    snapshot_expression: String(decided.index),
    query: { fingerprint: decided.fingerprint }
  })
}

/** How much of a fingerprint is in the name of a file. */
const SHORT = 12

/** The name of the file. */
export const fileOf = (decided: Decided): string => {
  const fingerprint = "asserted" in decided ? decided.asserted : decided.fingerprint
  const parts = [
    decided.environment,
    ...("index" in decided ? [decided.index] : []),
    ...(fingerprint === undefined ? [] : [fingerprint.slice(0, SHORT)])
  ]
  return `${parts.join("-")}.vsa.json`
}
