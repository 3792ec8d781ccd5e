/**
 * Which role do the connections of the embedded store log in as?
 *
 * As a plain role of their own, a member of the application role and of no other: the owner of the cluster
 * is a superuser, which row-level security does not bind, and `reset role` would lead back to it.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { APPLICATION_ROLE } from "../../schema/internal/SchemaNames.js"
import * as DatabaseCreation from "./DatabaseCreation.js"

/** The role that connections log in as. */
export const role = "attestry_pool"

/** WHY each start anew: a password that is kept nowhere needs no file, and folders of any age get the role. */
const statements = (password: string): ReadonlyArray<string> => [
  `do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then
      create role ${role};
    end if;
  end $$`,
  `alter role ${role} login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    password '${password}'`,
  `grant ${APPLICATION_ROLE} to ${role}`
]

/** Makes the role where it is missing, sets a new password, and returns how to connect as it. */
export const ensure = (
  owner: DatabaseCreation.Connection
): Effect.Effect<DatabaseCreation.Connection, DatabaseCreation.DatabaseRefused> =>
  Effect.gen(function* () {
    const password = randomBytes(32).toString("hex")
    yield* DatabaseCreation.runAll(owner, statements(password))
    return { ...owner, user: role, password: Redacted.make(password) }
  })
