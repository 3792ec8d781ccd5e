/** `"OK"`: what writes answer whose result is read with a GET. DECISION A-35 */
import type { Upsert } from "@attestry/core/Upsert"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { created, ok, type Reply } from "../HttpMessage.js"

/** The JSON string `"OK"`. */
export const OkBody = Schema.Literal("OK").annotations({
  description: "The write was accepted; read the result with a GET"
})
/** The JSON string `"OK"`. */
export type OkBody = typeof OkBody.Type

/** `"OK"` with 201, for something that was not there before. */
export const CreatedBody = OkBody.annotations(HttpApiSchema.annotations({ status: 201 }))

/** 201 when it was created, 200 when it was there. */
export const ofPut = (outcome: Upsert): Reply<OkBody> =>
  outcome === "created" ? created("OK") : ok("OK")
