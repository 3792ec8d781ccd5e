/** A row of a snapshot as PostgreSQL keeps it, with what flows know about it. */
import { FlowView } from "@attestry/core/FlowView"
import { RowDecision } from "@attestry/core/RowDecision"
import { RunningRow } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { Verdict } from "@attestry/core/Verdict"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

const { creationTimestamp, ...contexts } = Struct.omit(RunningRow.fields, "name", "fingerprint")

/** WHY: what a row has no word about is not stored, since every row lacks all but one of these. */
const stored = <A, I>(context: Schema.Schema<A | null, I | null>) =>
  Schema.optionalWith(context, { exact: true })

const document = {
  creationTimestamp,
  pods: stored(contexts.pods),
  container_task_context: stored(contexts.container_task_context),
  serverless_run_context: stored(contexts.serverless_run_context),
  cloudx_app_context: stored(contexts.cloudx_app_context)
}

/** A row as it is stored. */
export const RowRow = Schema.Struct({
  name: RunningRow.fields.name,
  fingerprint: RunningRow.fields.fingerprint,
  verdict: Verdict,
  started_index: Schema.Int,
  flows: Schema.NullOr(Schema.Array(FlowView)),
  decisions: Schema.NullOr(Schema.Array(RowDecision)),
  doc: Schema.Struct(document)
})

/** The row of a snapshot that a stored one is. */
export const toRow = ({ doc, flows, decisions, ...row }: typeof RowRow.Type): SnapshotRow => ({
  name: row.name,
  fingerprint: row.fingerprint,
  verdict: row.verdict,
  started_index: row.started_index,
  flows: flows ?? [],
  decisions: decisions ?? [],
  creationTimestamp: doc.creationTimestamp,
  pods: doc.pods ?? null,
  container_task_context: doc.container_task_context ?? null,
  serverless_run_context: doc.serverless_run_context ?? null,
  cloudx_app_context: doc.cloudx_app_context ?? null
})

/** A row as it is handed over to be stored. */
export const toDocument = ({
  name,
  fingerprint,
  verdict,
  started_index,
  flows,
  decisions,
  ...document
}: SnapshotRow) => ({
  name,
  fingerprint,
  verdict,
  started_index,
  flows,
  decisions,
  doc: Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
})

/** The columns of a row, with what flows know about it and what policies decided. */
export const ROW = "r.name, r.fingerprint, r.verdict, r.started_index, f.flows, d.decisions, r.doc"
/** Where what flows know about a row, and what policies decided, comes from. */
export const FLOWS = `left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
  left join snapshot_decisions d on d.org_id = r.org_id and d.digest = r.decisions_digest`
