/**
 * The commands `org export` and `org import`. They run in this process, as the role that owns the tables: no server
 * sees the folder, and the application's role may not read all that is in it.
 */
import type { ArchiveRefused } from "@attestry/core/OrgArchive"
import type { OrgExists, OrgNotFound } from "@attestry/core/Orgs"
import type { StoreError } from "@attestry/core/StoreError"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import type { EmbeddedPostgresError } from "@attestry/embedded-postgres/EmbeddedPostgresError"
import type { ArchiveFolderError } from "@attestry/sql-store/ArchiveFolder"
import * as OrgArchives from "@attestry/sql-store/OrgArchives"
import * as PgStore from "@attestry/sql-store/PgStore"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../../ServerConfig.js"
import * as Version from "../Version.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as ArchiveFolderNode from "./ArchiveFolderNode.js"

/** A command about an archive. */
export type ArchiveCommand = Extract<AdminCommand, { readonly _tag: "org export" | "org import" }>

/** The memory store has nothing that an archive could keep. */
export class NothingKept extends Schema.TaggedError<NothingKept>()("NothingKept", {}) {
  override get message(): string {
    return "the memory store keeps nothing: an archive needs ATTESTRY_STORE=postgres or embedded"
  }
}

/** The address of the role that owns the tables. The embedded server runs until the scope closes. */
const ownerUrl = (config: ServerConfig) =>
  Effect.gen(function* () {
    if (config.ATTESTRY_STORE === "embedded") {
      const { url } = yield* EmbeddedPostgres.make({ dataDir: config.ATTESTRY_DATA_DIR })
      return url
    }
    const url = config.ATTESTRY_MIGRATION_DATABASE_URL ?? config.ATTESTRY_DATABASE_URL
    return url ?? (yield* new NothingKept())
  })

/** A new database gets the schema first, so that an org can arrive in it. */
const prepare = (config: ServerConfig, url: Redacted.Redacted<string>) =>
  config.ATTESTRY_STORE === "embedded" ? PgStore.openOwn({ url }) : PgStore.migrate({ url })

/** The errors of the commands. */
export type ArchiveError =
  | ArchiveFolderError
  | ArchiveRefused
  | EmbeddedPostgresError
  | NothingKept
  | OrgExists
  | OrgNotFound
  | StoreError

/** Runs the command. */
export const run = (
  config: ServerConfig,
  command: ArchiveCommand
): Effect.Effect<OrgArchives.Exported | OrgArchives.Imported, ArchiveError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const url = yield* ownerUrl(config)
      if (command._tag === "org export")
        return yield* OrgArchives.exportOrg(url, {
          org: command.name,
          folder: ArchiveFolderNode.make(command.to),
          release: Version.read(),
          hasSecrets: command["without-secrets"] !== "true",
          hasFiles: command.files !== "none"
        })
      yield* prepare(config, url)
      return yield* OrgArchives.importOrg(url, ArchiveFolderNode.make(command.folder))
    })
  )
