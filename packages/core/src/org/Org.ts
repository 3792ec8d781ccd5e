/** The tenant. */
import * as Schema from "effect/Schema"
import { OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A tenant; its name is unique in the deployment and never changes. */
export const Org = Schema.Struct({ id: OrgId, name: OrgName, created_at: Timestamp })
/** A tenant. */
export type Org = typeof Org.Type
