/** Issuers of `WorkloadIdentityStore` on PostgreSQL, through the functions that open its table. */
import { Issuer } from "@attestry/core/IssuerKeys"
import type { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"

const decodeIssuers = Schema.decodeUnknown(Schema.Array(Issuer))
const decodeNames = Schema.decodeUnknown(Schema.Array(Schema.Struct({ issuer: Schema.String })))

/** Issuers of `WorkloadIdentityStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    WorkloadIdentityStore["Type"],
    "findIssuer" | "wantKeys" | "listDueIssuers" | "saveKeys" | "failKeys"
  >,
  never,
  SqlClient.SqlClient
> = Effect.map(SqlClient.SqlClient, (sql) => ({
  findIssuer: (issuer) =>
    sql`select * from oidc_issuer_get(${issuer})`.pipe(
      Effect.flatMap(decodeIssuers),
      Effect.map(([row]) => Option.fromNullable(row)),
      SqlFailure.toStoreError("WorkloadIdentityStore.findIssuer")
    ),
  wantKeys: (issuer, withinSeconds) =>
    sql`select * from oidc_issuer_want(${issuer}, ${withinSeconds})`.pipe(
      Effect.map((rows) => rows.length > 0),
      SqlFailure.toStoreError("WorkloadIdentityStore.wantKeys")
    ),
  listDueIssuers: (afterSeconds) =>
    sql`select * from oidc_issuer_due(${afterSeconds})`.pipe(
      Effect.flatMap(decodeNames),
      Effect.map((rows) => rows.map(({ issuer }) => issuer)),
      SqlFailure.toStoreError("WorkloadIdentityStore.listDueIssuers")
    ),
  saveKeys: (issuer, keys) =>
    sql`select oidc_issuer_save(${issuer}, ${JSON.stringify(keys)}::jsonb)`.pipe(
      Effect.asVoid,
      SqlFailure.toStoreError("WorkloadIdentityStore.saveKeys")
    ),
  failKeys: (issuer, error) =>
    sql`select oidc_issuer_fail(${issuer}, ${error})`.pipe(
      Effect.asVoid,
      SqlFailure.toStoreError("WorkloadIdentityStore.failKeys")
    )
}))
