/** A row of a snapshot as PostgreSQL keeps it, with what flows know about it. */
import { FlowView } from "@attestry/core/FlowView"
import { RowDecision } from "@attestry/core/RowDecision"
import { RunningRow } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { Verdict } from "@attestry/core/Verdict"
import * as Schema from "effect/Schema"
import * as StoredDocument from "./StoredDocument.js"

/** A row as it is stored. */
export const RowRow = Schema.Struct({
  name: RunningRow.fields.name,
  fingerprint: RunningRow.fields.fingerprint,
  verdict: Verdict,
  started_index: Schema.Int,
  flows: Schema.NullOr(Schema.Array(FlowView)),
  decisions: Schema.NullOr(Schema.Array(RowDecision)),
  doc: Schema.String
})

/** The row of a snapshot that a stored one is. */
export const toRow = ({ doc, flows, decisions, ...row }: typeof RowRow.Type): SnapshotRow => {
  const { creationTimestamp, pods, ...contexts } = StoredDocument.read(doc)
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    verdict: row.verdict,
    started_index: row.started_index,
    flows: flows ?? [],
    decisions: decisions ?? [],
    creationTimestamp,
    pods,
    container_task_context: contexts.container_task_context,
    serverless_run_context: contexts.serverless_run_context,
    cloudx_app_context: contexts.cloudx_app_context
  }
}

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
  doc: StoredDocument.print(document)
})

/** The columns of a row, with what flows know about it and what policies decided. */
export const ROW = "r.name, r.fingerprint, r.verdict, r.started_index, f.flows, d.decisions, r.doc"
/** Where what flows know about a row, and what policies decided, comes from. */
export const FLOWS = `left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
  left join snapshot_decisions d on d.org_id = r.org_id and d.digest = r.decisions_digest`
