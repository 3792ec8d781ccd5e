/** How much each org, each credential and each failing caller may ask for. DECISION A-15, P-RATE */
import * as Context from "effect/Context"

/** Requests in a minute, by what they are counted for. */
export interface Limits {
  readonly perOrg: number
  readonly perCredential: number
  /** Failed authentications from one address. */
  readonly failuresPerSource: number
  /** Failed authentications that name one key. */
  readonly failuresPerKey: number
}

/** The limits unless a host says otherwise: far above what a busy pipeline asks for. */
export const defaults: Limits = {
  perOrg: 1_200_000,
  perCredential: 600_000,
  failuresPerSource: 1_000,
  failuresPerKey: 100
}

/** The limits of this deployment. */
export class RequestLimits extends Context.Reference<RequestLimits>()(
  "@attestry/http/RequestLimits",
  { defaultValue: () => defaults }
) {}
