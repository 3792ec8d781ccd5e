/** A row of a snapshot as PostgreSQL keeps it, with what flows know about it. */
import { FlowView } from "@attestry/core/FlowView"
import { RunningRow } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { Verdict } from "@attestry/core/Verdict"
import * as Schema from "effect/Schema"

const { name: _name, fingerprint: _fingerprint, ...document } = RunningRow.fields

/** A row as it is stored. */
export const RowRow = Schema.Struct({
  name: RunningRow.fields.name,
  fingerprint: RunningRow.fields.fingerprint,
  verdict: Verdict,
  started_index: Schema.Int,
  flows: Schema.NullOr(Schema.Array(FlowView)),
  doc: Schema.Struct(document)
})

/** The row of a snapshot that a stored one is. */
export const toRow = ({ doc, flows, ...row }: typeof RowRow.Type): SnapshotRow => ({
  name: row.name,
  fingerprint: row.fingerprint,
  verdict: row.verdict,
  started_index: row.started_index,
  flows: flows ?? [],
  ...doc
})

/** The columns of a row, with what flows know about it. */
export const ROW = "r.name, r.fingerprint, r.verdict, r.started_index, f.flows, r.doc"
/** Where what flows know about a row comes from. */
export const FLOWS =
  "left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest"
