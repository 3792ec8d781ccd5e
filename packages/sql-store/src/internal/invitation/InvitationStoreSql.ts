/** `InvitationStore` on PostgreSQL. */
import { InvitationId, type OrgId, OrgName } from "@attestry/core/Identifier"
import { Invitation } from "@attestry/core/Invitation"
import { InvitationStore } from "@attestry/core/InvitationStore"
import { offsetOf } from "@attestry/core/Page"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, invitation_id as id, role, login, display_name, email, digest, created_by,
  created_at, expires_at, accepted_by, accepted_at, revoked_by, revoked_at`

const { id: _id, ...others } = Invitation.fields

const FoundRow = Schema.Struct({
  found: Schema.Struct({ invitation_id: InvitationId, ...others }),
  org: OrgName,
  now: Timestamp
})
const decodeFound = Schema.decodeUnknown(Schema.Array(FoundRow))

const Total = Schema.Struct({ total: Schema.Int })

/** `InvitationStore` on PostgreSQL. */
export const layer: Layer.Layer<InvitationStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    InvitationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      const count = (operation: string, org: OrgId, where: ReturnType<typeof sql.and>) =>
        Effect.map(
          rows.first(Total, {
            operation,
            org,
            statement: sql`select count(*)::int4 as total from invitation where ${where}`
          }),
          Option.match({ onNone: () => 0, onSome: ({ total }) => total })
        )

      return InvitationStore.of({
        findAnywhere: (id) =>
          sql`select to_jsonb(f.found) as found, f.org, f.now from invitation_by_id(${id}) f`.pipe(
            Effect.flatMap(decodeFound),
            Effect.map(([row]) =>
              Option.map(
                Option.fromNullable(row),
                ({ found: { invitation_id, ...invitation }, org, now }) => ({
                  invitation: { id: invitation_id, ...invitation },
                  org: { id: invitation.org_id, name: org },
                  now
                })
              )
            ),
            SqlFailure.toStoreError("InvitationStore.findAnywhere")
          ),
        lockOpen: (org, now) =>
          Effect.zipRight(
            // WHY a statement of its own: the next one must see the invitations that it has waited for.
            rows.run({
              operation: "InvitationStore.lockOpen",
              org,
              statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' invitation', 0))`
            }),
            count(
              "InvitationStore.lockOpen",
              org,
              sql.and([
                sql`org_id = ${org}`,
                sql`accepted_at is null`,
                sql`revoked_at is null`,
                sql`expires_at > ${now}::int8`
              ])
            )
          ),
        insert: (made) =>
          rows.run({
            operation: "InvitationStore.insert",
            org: made.org_id,
            statement: sql`insert into invitation (org_id, invitation_id, role, login, display_name,
                email, digest, created_by, created_at, expires_at, accepted_by, accepted_at,
                revoked_by, revoked_at)
              values (${made.org_id}, ${made.id}, ${made.role}, ${made.login}, ${made.display_name},
                ${made.email}, ${made.digest}, ${made.created_by}, ${made.created_at}::int8,
                ${made.expires_at}::int8, ${made.accepted_by}, ${made.accepted_at}::int8,
                ${made.revoked_by}, ${made.revoked_at}::int8)`
          }),
        lock: ({ org, id }) =>
          rows.first(Invitation, {
            operation: "InvitationStore.lock",
            org,
            statement: sql`select ${columns} from invitation
              where org_id = ${org} and invitation_id = ${id} for update`
          }),
        end: ({ org_id, id, accepted_by, accepted_at, revoked_by, revoked_at }) =>
          rows.run({
            operation: "InvitationStore.end",
            org: org_id,
            statement: sql`update invitation set accepted_by = ${accepted_by},
                accepted_at = ${accepted_at}::int8, revoked_by = ${revoked_by},
                revoked_at = ${revoked_at}::int8
              where org_id = ${org_id} and invitation_id = ${id}`
          }),
        list: (org, page) =>
          Effect.gen(function* () {
            const operation = "InvitationStore.list"
            const items = yield* rows.list(Invitation, {
              operation,
              from: "page",
              org,
              statement: sql`select ${columns} from invitation where org_id = ${org}
                order by created_at desc, invitation_id
                limit ${page.perPage} offset ${offsetOf(page)}`
            })
            return { items, total: yield* count(operation, org, sql.and([sql`org_id = ${org}`])) }
          })
      })
    })
  )
