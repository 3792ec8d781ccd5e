/** `JournalStore` on PostgreSQL. Content and digest are bytes, and are served as the bytes they are. */
import type { JournalDraft, JournalEntry } from "@attestry/core/JournalEntry"
import * as JournalSequences from "@attestry/core/JournalSequences"
import { JournalStore } from "@attestry/core/JournalStore"
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as LockedTrail from "../trail/LockedTrail.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as WriteBuffer from "../transaction/WriteBuffer.js"
import * as JournalRow from "./JournalRow.js"
import * as JournalScanSql from "./JournalScanSql.js"

/** The number that was drawn together with the lock of a trail, once. */
const drawn = (locked: LockedTrail.LockedTrail | undefined): number | undefined => {
  const sequence = locked?.sequence
  if (locked !== undefined) locked.sequence = undefined
  return sequence
}

const numbered = (draft: JournalDraft, sequence: number): JournalEntry => ({
  org_id: draft.org_id,
  sequence,
  kind: draft.kind,
  subject: draft.subject,
  actor: draft.actor,
  at: draft.at,
  content: draft.content,
  digest: draft.digest
})

/** A draft whose actor has its opening. */
const withGlass = (draft: JournalDraft, glass: number | null): JournalDraft =>
  glass === null ? draft : { ...draft, actor: { ...draft.actor, break_glass: glass } }

/** An entry as the columns of its row, without its content; one without a number is given the next. */
const rowOf = ({ org_id, kind, subject, actor, at, digest }: JournalDraft, sequence?: number) => ({
  org_id,
  sequence,
  kind,
  subject_type: subject.type,
  subject_id: subject.id,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  actor_credential: actor.credential,
  at,
  digest
})

/**
 * The content of an entry as a member of its row: an object as it stands, anything else as a text.
 *
 * WHY: PostgreSQL makes the same text of both, and escaping a long text within another costs more than the rest
 * of the row. Where something is escaped it is a text, because not every escape stands for a character.
 */
const contentOf = ({ content }: JournalDraft): readonly [name: string, text: string] => [
  "content",
  content.startsWith("{") && !content.includes("\\u") ? content : JSON.stringify(content)
]

/** INVARIANT: numbers are drawn in the order of the entries. */
const ascending =
  (fill: (sequences: ReadonlyArray<number>) => void) => (values: ReadonlyArray<unknown>) =>
    fill(values.map(Number).sort((left, right) => left - right))

const Sequence = Schema.Struct({ sequence: Schema.Int })
const Appended = Schema.Struct({ sequence: Schema.Int, glass: Schema.NullOr(Schema.Int) })

/** `JournalStore` on PostgreSQL. */
export const layer: Layer.Layer<JournalStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    JournalStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const columns = JournalRow.columns(sql)

      /** The opening of an actor that counts at the time of an entry. WHY here: no entry is without it. */
      const glass =
        sql.literal(`case when d.actor_kind = 'user' then (select b.number from break_glass b
            where b.org_id = d.org_id and b.user_id = d.actor_id and b.opened_at <= d.at
              and d.at < coalesce(b.closed_at, b.ends_at)) end`)

      const glassOf = ({ actor, at, org_id }: JournalDraft) =>
        actor.kind === "user"
          ? sql`(select b.number from break_glass b where b.org_id = ${org_id} and b.user_id = ${actor.id}
              and b.opened_at <= ${at}::int8 and ${at}::int8 < coalesce(b.closed_at, b.ends_at))`
          : sql`null::int4`

      const insert = (draft: JournalDraft) =>
        sql`insert into journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id,
          actor_name, actor_credential, actor_break_glass, at, content, digest)
        values (${draft.org_id}, ${draft.kind}, ${draft.subject.type},
          ${draft.subject.id}, ${draft.actor.kind}, ${draft.actor.id}, ${draft.actor.name},
          ${draft.actor.credential ?? null}, ${glassOf(draft)}, ${draft.at}, convert_to(${draft.content}, 'UTF8'),
            decode(${draft.digest}, 'hex'))`

      /** Entries in the order in which they are given, each under its number or else under the next. */
      const entries: WriteBuffer.Kind = {
        statement: (_, values) => sql`insert into journal (org_id, sequence, kind, subject_type,
          subject_id, actor_kind, actor_id, actor_name, actor_credential, actor_break_glass, at, content, digest)
        select d.org_id, coalesce(d.sequence, nextval('journal_sequence')), d.kind, d.subject_type,
          d.subject_id, d.actor_kind, d.actor_id, d.actor_name, d.actor_credential, ${glass}, d.at,
          convert_to(d.content, 'UTF8'), decode(d.digest, 'hex')
        from (select * from rows from (json_to_recordset(${values}::json) as (org_id text,
            sequence int8, kind text, subject_type text, subject_id text, actor_kind text,
            actor_id text, actor_name text, actor_credential text, at int8, content text, digest text))
          with ordinality order by ordinality) d`
      }

      const appendNext = (draft: JournalDraft) => {
        const operation = "JournalStore.append"
        const inserted = rows.first(Appended, {
          operation,
          org: draft.org_id,
          statement: sql`${insert(draft)} returning sequence, actor_break_glass as glass`
        })
        return Effect.flatMap(
          inserted,
          Option.match({
            onNone: () => new StoreError({ operation, cause: new Error("no sequence came back") }),
            onSome: ({ glass: number, sequence }) =>
              Effect.succeed(numbered(withGlass(draft, number), sequence))
          })
        )
      }

      /** Under a number that was drawn already, so that the write can be buffered. */
      const appendAt = (buffer: WriteBuffer.WriteBuffer | undefined, entry: JournalEntry) =>
        Effect.as(
          rows.addTo(buffer, {
            operation: "JournalStore.append",
            org: entry.org_id,
            row: `journal ${entry.sequence}`,
            kind: entries,
            value: rowOf(entry, entry.sequence),
            printed: contentOf(entry)
          }),
          entry
        )

      return JournalStore.of({
        append: (draft) =>
          draft.subject.type === "trail"
            ? LockedTrail.use(draft.subject.id, (locked, buffer) => {
                const sequence = drawn(locked)
                return sequence === undefined
                  ? appendNext(draft)
                  : appendAt(buffer, numbered(draft, sequence))
              })
            : appendNext(draft),
        appendAll: (drafts) => {
          const [first] = drafts
          if (first === undefined) return Effect.succeed([])
          const { places, fill } = JournalSequences.makePlaces(drafts.length)
          const inserted = WriteBuffer.statementOf(
            entries,
            first.org_id,
            drafts.map((draft) =>
              TenantQueries.textOf({ value: rowOf(draft), printed: contentOf(draft) })
            )
          )
          const written = rows.write({
            operation: "JournalStore.appendAll",
            org: first.org_id,
            row: `journal of ${first.subject.type} ${first.subject.id}`,
            statement: sql`${inserted} returning sequence as returned`,
            onReturned: ascending(fill)
          })
          return Effect.as(written, places)
        },
        listBySubject: (org, subject) =>
          "ids" in subject && subject.ids.length === 0
            ? Effect.succeed([])
            : rows.list(JournalRow.Shown, {
                operation: "JournalStore.listBySubject",
                from: "list",
                nameOf: JournalRow.nameOf,
                org,
                // WHY lateral and `offset`: each of several subjects is looked up by its key.
                statement:
                  "ids" in subject
                    ? sql`select j.* from
                        (select distinct unnest(${[...subject.ids]}::text[]) as id) l
                      cross join lateral (select ${columns} from journal
                        where org_id = ${org} and subject_type = ${subject.type}
                          and subject_id = l.id offset 0) j
                      order by j.sequence`
                    : sql`select ${columns} from journal
                      where org_id = ${org} and subject_type = ${subject.type}
                        and subject_id = ${subject.id}
                      order by sequence`
              }),
        listNearest: ({ org, subject, kind, at, limit }) =>
          rows.list(JournalRow.Shown, {
            operation: "JournalStore.listNearest",
            from: "list",
            org,
            statement: sql`select ${columns} from journal
            where org_id = ${org} and subject_type = ${subject.type} and subject_id = ${subject.id}
              and kind = ${kind}
            order by abs(at - ${at}::int8), sequence limit ${limit}`
          }),
        listAfter: ({ org, after, limit }) =>
          rows.all(JournalRow.Stored, {
            operation: "JournalStore.listAfter",
            nameOf: JournalRow.nameOf,
            org,
            statement: sql`select ${columns} from journal
            where org_id = ${org} and sequence > ${after}
            order by sequence limit ${limit}`
          }),
        listNumbersAfter: ({ org, after, limit }) =>
          Effect.map(
            rows.all(Sequence, {
              operation: "JournalStore.listNumbersAfter",
              nameOf: JournalRow.nameOf,
              org,
              statement: sql`select sequence from journal
              where org_id = ${org} and sequence > ${after}
              order by sequence limit ${limit}`
            }),
            (found) => found.map(({ sequence }) => sequence)
          ),
        scanBack: JournalScanSql.make(sql, rows, ({ org }, sequences) =>
          rows.list(JournalRow.Shown, {
            operation: "JournalStore.scanBack",
            from: "page",
            org,
            statement: sql`select ${columns} from journal
            where org_id = ${org} and sequence = any(${[...sequences]}::int8[])
            order by sequence desc`
          })
        )
      })
    })
  )
