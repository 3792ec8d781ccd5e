/**
 * The role that the store's connections log in as, on a server that this program runs.
 *
 * It is a plain role, a member of the application role and of no other: the owner of such a server is a superuser,
 * which row-level security does not bind, and `reset role` would lead back to it.
 */
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import { APPLICATION_ROLE } from "../../schema/internal/SchemaNames.js"

/** The role that connections log in as. */
const ROLE = "attestry_pool"

/** WHY each start anew: a password that is kept nowhere needs no file, and folders of any age get the role. */
const newPassword = Effect.sync(() =>
  Encoding.encodeHex(globalThis.crypto.getRandomValues(new Uint8Array(32)))
)

/** The same address with another login. */
const withLogin = (url: string, password: string): string =>
  url.replace(/^(\w+:\/\/)(?:[^@/?]*@)?/, `$1${ROLE}:${password}@`)

/** Makes the role where it is missing, sets a new password, and returns the address to connect to as it. */
export const ensure = (
  url: Redacted.Redacted<string>
): Effect.Effect<Redacted.Redacted<string>, StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const password = yield* newPassword
    const found = yield* sql`select from pg_roles where rolname = ${ROLE}`
    if (found.length === 0) yield* sql`create role ${sql(ROLE)}`
    yield* sql`alter role ${sql(ROLE)}
      login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls
      password '${sql.literal(password)}'`
    yield* sql`grant ${sql(APPLICATION_ROLE)} to ${sql(ROLE)}`
    return Redacted.make(withLogin(Redacted.value(url), password))
  }).pipe(Effect.mapError((cause) => new StoreError({ operation: "makeRole", cause })))
