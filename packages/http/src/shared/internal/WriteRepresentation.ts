/** Puts what a write did into its response, where the request prefers that. */

import type { WriteResult } from "@attestry/api/WriteResult"
import type { WriteOutcome } from "@attestry/core/WriteOutcome"
import type { OutgoingResponse } from "../HttpMessage.js"
import * as Links from "./Links.js"
import * as Preference from "./Preference.js"
import type { Params } from "./RouteTable.js"

/** The page of what was written, where it has one. */
const pageOf = (base: string, params: Params, outcome: WriteOutcome): string | null => {
  const { type, name, id, result, snapshotIndex } = outcome
  const { org, flow_name: flow, trail_name: trail } = params
  if (org === undefined || name === null || result === "archived" || result === "deleted")
    return null
  if (type === "flow") return Links.flowPage(base, { org, flow: name })
  if (type === "trail" && flow !== undefined)
    return Links.trailPage(base, { org, flow, trail: name })
  if (type === "attestation" && flow !== undefined && trail !== undefined && id !== null)
    return Links.trailPage(base, { org, flow, trail }, id)
  return type === "environment" && snapshotIndex !== undefined
    ? Links.snapshotPage(base, { org, environment: name, index: snapshotIndex })
    : null
}

/** An outcome in the form of a response. */
export const resultOf = (base: string, params: Params, outcome: WriteOutcome): WriteResult => ({
  type: outcome.type,
  id: outcome.id,
  name: outcome.name,
  outcome: outcome.result,
  changed: outcome.result !== "unchanged",
  version: outcome.version ?? null,
  snapshot_index: outcome.snapshotIndex ?? null,
  is_compliant: outcome.isCompliant ?? null,
  html_url: pageOf(base, params, outcome)
})

const applied = (response: OutgoingResponse, body: OutgoingResponse["body"]): OutgoingResponse => ({
  ...response,
  headers: {
    ...response.headers,
    [Preference.APPLIED.toLowerCase()]: Preference.REPRESENTATION
  },
  body
})

/** Whether a body is a JSON string, such as `"OK"`. */
const isWord = (body: OutgoingResponse["body"]): boolean =>
  typeof body === "string" && body.startsWith('"')

/** The response with the outcome in place of a word; an object is its own representation. */
export const put = (response: OutgoingResponse, result: WriteResult | undefined) => {
  if (!isWord(response.body)) return applied(response, response.body)
  return result === undefined ? response : applied(response, JSON.stringify(result))
}
