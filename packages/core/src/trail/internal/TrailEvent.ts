/** An event on a trail, after which the trail is evaluated and its listeners are called. */
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Flow } from "../../flow/Flow.js"
import type { Trail } from "../Trail.js"

/** A trail with an event, and its current flow. */
export interface TrailEvent {
  readonly writer: WriteContext
  readonly flow: Flow
  readonly trail: Trail
  /** Whether the event begins the trail. */
  readonly isBegin?: boolean
  /** The number of the entry that began the trail, where the event begins it. */
  readonly begun?: number
}
