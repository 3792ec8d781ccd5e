/** Serves the operations of allow-lists. */
import {
  type AllowedArtifact,
  AllowListApi,
  type OrgAllowedArtifact
} from "@attestry/api/AllowListApi"
import * as AllowListEntry from "@attestry/core/AllowListEntry"
import { AllowLists } from "@attestry/core/AllowLists"
import type { NamedEntry } from "@attestry/core/EnvironmentStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** The end and the owner of an entry, if they were given. */
const endingOf = (entry: AllowListEntry.AllowListEntry, now: Timestamp) => ({
  ...(entry.expires_at === null
    ? {}
    : { expires_at: entry.expires_at, is_expired: !AllowListEntry.isInForce(entry, now) }),
  ...(entry.owner === null ? {} : { owner: entry.owner })
})

const responseOf = (
  entry: AllowListEntry.AllowListEntry,
  now: Timestamp
): typeof AllowedArtifact.Type => ({
  artifact_fingerprint: entry.fingerprint,
  artifact_name: entry.name,
  description: entry.reason,
  created_by: entry.created_by,
  created_at: entry.created_at,
  ...endingOf(entry, now)
})

const namedResponseOf = (
  { environment, entry }: NamedEntry,
  now: Timestamp
): typeof OrgAllowedArtifact.Type => ({
  artifact_name: entry.name,
  fingerprint: entry.fingerprint,
  environment_name: environment,
  timestamp: entry.created_at,
  user_name: entry.created_by,
  description: entry.reason,
  ...endingOf(entry, now)
})

/** Serves the operations of allow-lists. */
export const AllowListHandlers = group(
  AllowListApi,
  Effect.map(AllowLists, (lists) => ({
    put: ({ path, payload }) =>
      lists
        .put(path.org, path.env_name, {
          fingerprint: payload.artifact_fingerprint,
          name: payload.artifact_name,
          reason: payload.description,
          expires_at: payload.expires_at ?? null,
          owner: payload.owner ?? null
        })
        .pipe(toWire, Effect.map(OkBody.ofPut)),
    list: ({ path }) =>
      lists.list(path.org, path.env_name).pipe(
        toWire,
        Effect.map(({ entries, now }) => ok(entries.map((entry) => responseOf(entry, now))))
      ),
    listOfOrg: ({ path }) =>
      lists.listOfOrg(path.org).pipe(
        toWire,
        Effect.map(({ entries, now }) => ok(entries.map((entry) => namedResponseOf(entry, now))))
      ),
    remove: ({ path }) =>
      lists
        .remove(path.org, path.env_name, path.fingerprint)
        .pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
