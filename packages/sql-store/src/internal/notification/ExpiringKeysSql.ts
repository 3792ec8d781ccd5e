/** Expiring keys of `NotificationStore` on PostgreSQL, through the functions that open keys and people. */

import { ApiKeyId, OrgId, OrgName, ServiceAccountName, UserId } from "@attestry/core/Identifier"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import { BaseRole } from "@attestry/core/Role"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const OrgRow = Schema.Struct({ id: OrgId, name: OrgName })
const KeyRow = Schema.Struct({
  id: ApiKeyId,
  description: Schema.String,
  service_account: ServiceAccountName,
  creating_user_id: Schema.String,
  expires_at: Timestamp,
  notified_days: Schema.NullOr(Schema.Int)
})
const NoticeRow = Schema.Struct({ subject_id: Schema.String, notified_days: Schema.Int })
const MailboxRow = Schema.Struct({
  user_id: UserId,
  role: BaseRole,
  email: Schema.NullOr(Schema.String)
})

/** Expiring keys of `NotificationStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    NotificationStore["Type"],
    "listExpiringOrgs" | "listExpiringKeys" | "listNotices" | "listMailboxes"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    listExpiringOrgs: (withinSeconds) =>
      sql`select * from api_key_expiring_orgs(${withinSeconds})`.pipe(
        Effect.flatMap(Schema.decodeUnknown(Schema.Array(OrgRow))),
        SqlFailure.toStoreError("NotificationStore.listExpiringOrgs")
      ),
    listExpiringKeys: (org, withinSeconds) =>
      rows.all(KeyRow, {
        operation: "NotificationStore.listExpiringKeys",
        org,
        statement: sql`select * from api_key_expiring(${org}, ${withinSeconds})`
      }),
    listNotices: ({ org, type }) =>
      Effect.map(
        rows.all(NoticeRow, {
          operation: "NotificationStore.listNotices",
          org,
          statement: sql`select subject_id, notified_days from expiry_notice
            where org_id = ${org} and notification_type = ${type}`
        }),
        (found) =>
          new Map(found.map(({ notified_days, subject_id }) => [subject_id, notified_days]))
      ),
    listMailboxes: (org) =>
      rows.all(MailboxRow, {
        operation: "NotificationStore.listMailboxes",
        org,
        statement: sql`select * from org_mailboxes(${org})`
      })
  }
})
