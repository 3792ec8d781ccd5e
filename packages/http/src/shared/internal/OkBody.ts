/** Replies with `"OK"`, the body of writes whose result a client reads with GET. */
import type { OkBody } from "@attestry/api/OkBody"
import type { Upsert } from "@attestry/core/Upsert"
import { created, ok, type Reply } from "../HttpMessage.js"

/** 201 for a created resource, 200 for an existing one. */
export const ofPut = (upsert: Upsert): Reply<OkBody> =>
  upsert === "created" ? created("OK") : ok("OK")
