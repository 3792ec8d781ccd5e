/**
 * With which settings does the server run?
 *
 * Unless the caller sets them otherwise, durability is on, times are UTC, and PostgreSQL does not log
 * what clients send. The caller cannot choose where the server listens and how its processes are
 * recognized.
 */
import * as Either from "effect/Either"
import { ReservedSetting } from "../EmbeddedPostgresError.js"
import * as SocketFolder from "./SocketFolder.js"

/** Settings of `postgresql.conf` by name. */
export type ServerSettings = Readonly<Record<string, string>>

const defaults: ServerSettings = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors of statements go to the client that sent them; their details can quote what it sent.
  log_min_messages: "log",
  log_min_error_statement: "panic"
}

/** Settings that only the launcher knows. */
export interface LauncherSettings {
  /** The folder of the socket, as the server names it. */
  readonly serverPath: string
  /** By this name the server's processes are recognized. */
  readonly clusterName: string
}

const decided = ({ clusterName, serverPath }: LauncherSettings): ServerSettings => ({
  cluster_name: clusterName,
  listen_addresses: "",
  port: String(SocketFolder.port),
  unix_socket_directories: serverPath,
  unix_socket_permissions: "0700",
  log_destination: "stderr",
  logging_collector: "off"
})

const reserved = new Set([
  ...Object.keys(decided({ serverPath: "", clusterName: "" })),
  "unix_socket_group",
  "data_directory",
  "config_file",
  "hba_file",
  "ident_file",
  "external_pid_file"
])

// The server reads names without regard to case, `-` as `_`, and ends a name at the first `=`.
const canonical = (name: string): string =>
  name.replace(/=.*/s, "").trim().toLowerCase().replaceAll("-", "_")

/** The caller's settings, if they leave alone what only the launcher decides. */
export const check = (settings: ServerSettings): Either.Either<ServerSettings, ReservedSetting> => {
  const setting = Object.keys(settings).find((name) => reserved.has(canonical(name)))
  return setting === undefined
    ? Either.right(settings)
    : Either.left(new ReservedSetting({ setting }))
}

/** The server's command line; of two equal names the later wins, so ours have the last word. */
export const toArguments = (
  settings: ServerSettings,
  launcher: LauncherSettings
): ReadonlyArray<string> =>
  [defaults, settings, decided(launcher)]
    .flatMap((group) => Object.entries(group))
    .flatMap(([name, value]) => ["-c", `${name}=${value}`])
