/** One request of the demo: what a pipeline, a cluster or a person sends to the API, and when. */

/** A request of the API. */
export interface DemoRequest {
  /** When it arrives, in milliseconds since the epoch. */
  readonly at: number
  /** Method and path below `/api/v2`, with `{org}` for the org: `PUT /flows/{org}`. */
  readonly operation: string
  readonly body: unknown
}

/** A minute in milliseconds. */
export const MINUTE = 60_000

/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE

/** A day in milliseconds. */
export const DAY = 24 * HOUR
