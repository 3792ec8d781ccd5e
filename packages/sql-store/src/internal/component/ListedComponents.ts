/** Which documents about the contents of artifacts count: all, or those that attestations of some flows are for. */
import type { FlowId, OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** The condition on a row `s` of `component_listing`, with `and`; nothing for all flows. */
export const ofFlows = (
  sql: SqlClient,
  org: OrgId,
  flows: ReadonlyArray<FlowId> | undefined
): Fragment =>
  flows === undefined
    ? sql.literal("")
    : // WHY a value and no join: each listing is looked up by the key of its attestation.
      sql`and (select t.flow_id from attestation t where t.org_id = ${org}
        and t.attestation_id = s.attestation_id) = any (${[...flows]}::text[])`
