/**
 * Links each leaf to the newest leaf of its subject.
 *
 * Reports write about trails without locking the trail, so an entry can become visible after an entry of its subject
 * with a higher number, and gets its leaf late. The newest leaf of a subject is the one with the highest number, or
 * one of the late leaves, which `log_late` keeps by subject.
 */
import type { LogGrowth, LogTree } from "@attestry/core/Log"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as JournalRow from "../journal/JournalRow.js"
import * as LogRow from "./LogRow.js"

/** Above this many numbers the entries without a leaf are found by a join. */
const DONE_MAX = 20_000

/** The highest number with a leaf: an entry below it comes late. */
const lastOf = ({ done }: LogTree): number => done.at(-1) ?? 0

/**
 * That the entry `b` is of the subject of `e`.
 *
 * WHY columns, and not the members of `e.subject`: below row-level security an index is entered only by operators that
 * PostgreSQL calls leakproof, and `->>` is none. Each probe would read all entries of the org.
 */
const sameSubject = (sql: SqlClient, org: string): Fragment =>
  sql`b.org_id = ${org} and b.subject_type = e.subject_type and b.subject_id = e.subject_id`

const ENTRY = "e.org_id, e.sequence, e.kind, e.at, e.subject, e.actor, e.content, e.digest"

/**
 * The first entries without a leaf, each with the newest leaf of its subject.
 *
 * WHY lateral: three probes for each entry: the previous entry of its subject, the leaf of that entry, and late
 * leaves. The leaves above the horizon are read once, and only for an entry that comes late.
 */
export const unlogged = (sql: SqlClient, tree: LogTree, limit: number): Statement<object> => {
  const { org_id, epoch, horizon, done } = tree
  const isKnown =
    done.length > DONE_MAX
      ? sql`not exists (select from log_leaf l where l.org_id = ${org_id} and l.sequence = journal.sequence)`
      : sql`journal.sequence <> all(${[...done]}::int8[])`
  return sql`with above as materialized (
      select b.org_id, b.subject_type, b.subject_id, b.sequence, l.leaf_index
      from log_leaf l join journal b on b.org_id = l.org_id and b.sequence = l.sequence
      where l.org_id = ${org_id} and l.sequence > ${horizon} and l.epoch + 0 = ${epoch})
    select ${sql.literal(ENTRY)}, greatest(p.leaf_index, t.leaf_index, n.leaf_index) as prev
    from (select ${JournalRow.columns(sql)}, subject_type, subject_id from journal
      where journal.org_id = ${org_id} and journal.sequence > ${horizon} and ${isKnown}
      order by journal.sequence limit ${limit}) e
    left join lateral (select case when l.epoch = ${epoch} then l.leaf_index end as leaf_index
        from journal b
        join log_leaf l on l.org_id = b.org_id and l.sequence = b.sequence
      where ${sameSubject(sql, org_id)} and b.sequence < e.sequence
      order by b.sequence desc limit 1) p on true
    left join lateral (select b.leaf_index from log_late b
      where ${sameSubject(sql, org_id)} and b.epoch = ${epoch}
      order by b.leaf_index desc limit 1) t on true
    left join lateral (select max(b.leaf_index) as leaf_index from above b
      where e.sequence < ${lastOf(tree)} and ${sameSubject(sql, org_id)}
        and b.sequence > e.sequence) n on true
    order by e.sequence`
}

/** Whether a new leaf of a tree may be late. */
export const hasLate = (tree: LogTree, { leaves }: LogGrowth): boolean =>
  leaves.some(({ sequence }) => sequence < lastOf(tree))

/** Records the late leaves, before they are added: their subject has a leaf with a higher number. */
export const keepLate = (sql: SqlClient, tree: LogTree, growth: LogGrowth): Statement<object> => {
  const { org_id, epoch } = tree
  return sql`insert into log_late (org_id, epoch, subject_type, subject_id, leaf_index)
    select ${org_id}, ${epoch}, e.subject_type, e.subject_id, d.leaf_index
    from json_to_recordset(${LogRow.leavesText(growth)}::json) as d (leaf_index int8, sequence int8)
    join journal e on e.org_id = ${org_id} and e.sequence = d.sequence
    where d.sequence < ${lastOf(tree)} and exists (select from log_leaf l
        join journal b on b.org_id = l.org_id and b.sequence = l.sequence
      where l.org_id = ${org_id} and l.sequence > d.sequence
        and b.subject_type = e.subject_type and b.subject_id = e.subject_id)`
}
