/** `"OK"`: the body of writes whose result a client reads with GET. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

/** The JSON string `"OK"`. */
export const OkBody = Schema.Literal("OK").annotations({
  description: "The write was accepted; read the result with a GET"
})
/** The JSON string `"OK"`. */
export type OkBody = typeof OkBody.Type

/** `"OK"` with 201, for a created resource. */
export const CreatedBody = OkBody.annotations(HttpApiSchema.annotations({ status: 201 }))
