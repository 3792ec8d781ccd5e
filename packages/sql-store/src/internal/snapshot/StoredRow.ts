/** A row of a snapshot as it is stored, with the flows that have records of it. */
import { FlowView } from "@attestry/core/FlowView"
import { RowDecision } from "@attestry/core/RowDecision"
import { RunningRow } from "@attestry/core/RunningRow"
import type { ListedRow, SnapshotRow } from "@attestry/core/Snapshot"
import { AnnotationType } from "@attestry/core/SnapshotAnnotation"
import { Verdict } from "@attestry/core/Verdict"
import * as Schema from "effect/Schema"
import * as StoredDocument from "./StoredDocument.js"

/** What changed about a row; nulls where nothing did. */
export const StoredAnnotation = Schema.Struct({
  type: Schema.NullOr(AnnotationType),
  was: Schema.NullOr(Schema.Int),
  now: Schema.NullOr(Schema.Int)
})
type StoredAnnotation = typeof StoredAnnotation.Type

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

/**
 * The row of a snapshot that a stored one is.
 *
 * WHY each member is named, here and below: see `evaluatedRow` of core, whose rows these are compared with.
 */
export const toRow = (row: typeof RowRow.Type): SnapshotRow => {
  const document = StoredDocument.read(row.doc)
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    verdict: row.verdict,
    started_index: row.started_index,
    flows: row.flows ?? [],
    decisions: row.decisions ?? [],
    creationTimestamp: document.creationTimestamp,
    pods: document.pods,
    container_task_context: document.container_task_context,
    serverless_run_context: document.serverless_run_context,
    cloudx_app_context: document.cloudx_app_context
  }
}

/** How many instances a stored row has. */
export const instancesOf = ({ doc }: Pick<typeof RowRow.Type, "doc">): number =>
  StoredDocument.read(doc).creationTimestamp.length

/**
 * The row as a snapshot lists it: with what was decided about it, and what changed. A row that is unchanged
 * had `before` instances in the snapshot before.
 */
export const toListedRow = (
  row: typeof RowRow.Type,
  decisions: ListedRow["decisions"],
  { annotation, before }: { readonly annotation: StoredAnnotation; readonly before?: number }
): ListedRow => {
  const document = StoredDocument.read(row.doc)
  const count = document.creationTimestamp.length
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    verdict: row.verdict,
    started_index: row.started_index,
    flows: row.flows ?? [],
    decisions,
    creationTimestamp: document.creationTimestamp,
    pods: document.pods,
    container_task_context: document.container_task_context,
    serverless_run_context: document.serverless_run_context,
    cloudx_app_context: document.cloudx_app_context,
    annotation: {
      type: annotation.type ?? "unchanged",
      was: annotation.was ?? before ?? count,
      now: annotation.now ?? count
    }
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

/** The columns of a row, with its flows and the decisions of policies. */
export const ROW = "r.name, r.fingerprint, r.verdict, r.started_index, f.flows, d.decisions, r.doc"
/** The tables of a row's flows and of the decisions of policies, each looked up by its key. */
export const FLOWS = `left join lateral (select f.flows from snapshot_flows f
    where f.org_id = r.org_id and f.digest = r.flows_digest offset 0) f on true
  left join lateral (select d.decisions from snapshot_decisions d
    where d.org_id = r.org_id and d.digest = r.decisions_digest offset 0) d on true`
