/** Archives of orgs on a PostgreSQL server: writes them as the owner, and takes them in. */
import type { ArchiveRefused } from "@attestry/core/OrgArchive"
import type { OrgExists, OrgNotFound } from "@attestry/core/Orgs"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { ArchiveFolder, ArchiveFolderError } from "./ArchiveFolder.js"
import * as ArchiveClient from "./internal/org-archive/ArchiveClient.js"
import * as OrgExport from "./internal/org-archive/OrgExport.js"
import * as OrgImport from "./internal/org-archive/OrgImport.js"

/** What an export is asked for. */
export type ExportRequest = OrgExport.ExportRequest
/** What an export wrote. */
export type Exported = OrgExport.Exported
/** What an import took in. */
export type Imported = OrgImport.Imported

/**
 * Writes the archive of an org into a folder, or adds what changed since. The address is of the role that owns the
 * tables; it may lead to a standby.
 */
export const exportOrg = (
  url: Redacted.Redacted<string>,
  request: ExportRequest
): Effect.Effect<Exported, ArchiveFolderError | ArchiveRefused | OrgNotFound | StoreError> =>
  Effect.scoped(Effect.flatMap(ArchiveClient.open(url), (client) => OrgExport.run(client, request)))

/** Takes the archive of a folder into a migrated database that does not have the org. */
export const importOrg = (
  url: Redacted.Redacted<string>,
  folder: ArchiveFolder
): Effect.Effect<Imported, ArchiveFolderError | ArchiveRefused | OrgExists | StoreError> =>
  Effect.scoped(Effect.flatMap(ArchiveClient.open(url), (client) => OrgImport.run(client, folder)))
