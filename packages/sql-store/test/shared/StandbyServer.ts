/**
 * A streaming standby of an embedded server, made without `pg_basebackup`, which the embedded binaries do not have: a
 * slot, a copy of the folder between `pg_backup_start` and `pg_backup_stop`, and the label that the latter returns.
 */
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import type { EmbeddedPostgresError } from "@attestry/embedded-postgres/EmbeddedPostgresError"
import { Effect, Redacted, type Scope } from "effect"
import { withClient } from "./PgServer.js"

type Server = EmbeddedPostgres.EmbeddedPostgres["Type"]

/** What a copy must not have: it belongs to the running server. */
const OF_THE_SERVER = ["postmaster.pid", "postmaster.opts"]

/** WHY `cp`: it keeps owners; files that vanish meanwhile make it end with 1, and replay makes up for them. */
const copy = (from: string, to: string): void => {
  const { status, stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" })
  if (status !== 0 && !/No such file or directory/.test(stderr)) throw new Error(stderr)
  for (const name of OF_THE_SERVER) rmSync(join(to, name), { force: true })
}

/** Writes a file that belongs to the account of the server. */
const give = (cluster: string, name: string, text: string): void => {
  const { uid, gid } = statSync(cluster)
  writeFileSync(join(cluster, name), text)
  chownSync(join(cluster, name), uid, gid)
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** A standby of a server in a new folder, until the scope closes; it has everything that was committed before. */
export const standbyOf = (
  primary: Server,
  { dataDir, name = "standby" }: { readonly dataDir: string; readonly name?: string }
): Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = join(dataDir, "cluster")
    const { host, port, user, password } = primary.connection
    yield* Effect.promise(() =>
      withClient(Redacted.value(primary.url), async (client) => {
        await client.query("select pg_create_physical_replication_slot($1, true)", [name])
        await client.query("select pg_backup_start($1, true)", [name])
        mkdirSync(dataDir, { mode: 0o711 })
        // WHY: where root starts servers, the account of the standby must reach the socket of the primary.
        for (const folder of [join(primary.dataDir, ".."), primary.dataDir])
          chmodSync(folder, 0o711)
        cpSync(join(primary.dataDir, "password"), join(dataDir, "password"))
        copy(join(primary.dataDir, "cluster"), cluster)
        const { rows } = await client.query("select labelfile from pg_backup_stop(false)")
        give(cluster, "backup_label", rows[0].labelfile)
        give(cluster, "standby.signal", "")
        const info = Object.entries({
          host,
          port,
          user,
          password: Redacted.value(password),
          application_name: name
        })
        const conninfo = info.map(([key, value]) => `${key}=${quoted(String(value))}`).join(" ")
        appendFileSync(
          join(cluster, "postgresql.auto.conf"),
          [
            `primary_conninfo = ${quoted(conninfo)}`,
            `primary_slot_name = ${quoted(name)}`,
            "hot_standby_feedback = on",
            ""
          ].join("\n")
        )
      })
    )
    return yield* EmbeddedPostgres.make({ dataDir })
  })
