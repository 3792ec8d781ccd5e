/** Serves the operations of allow-lists. */
import {
  type AllowedArtifact,
  AllowListApi,
  type OrgAllowedArtifact
} from "@attestry/api/AllowListApi"
import type { AllowListEntry } from "@attestry/core/AllowListEntry"
import { AllowLists } from "@attestry/core/AllowLists"
import type { NamedEntry } from "@attestry/core/EnvironmentStore"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const responseOf = (entry: AllowListEntry): typeof AllowedArtifact.Type => ({
  artifact_fingerprint: entry.fingerprint,
  artifact_name: entry.name,
  description: entry.reason,
  created_by: entry.created_by,
  created_at: entry.created_at
})

const namedResponseOf = ({ environment, entry }: NamedEntry): typeof OrgAllowedArtifact.Type => ({
  artifact_name: entry.name,
  fingerprint: entry.fingerprint,
  environment_name: environment,
  timestamp: entry.created_at,
  user_name: entry.created_by,
  description: entry.reason
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
          reason: payload.description
        })
        .pipe(toWire, Effect.map(OkBody.ofPut)),
    list: ({ path }) =>
      lists.list(path.org, path.env_name).pipe(
        toWire,
        Effect.map((entries) => ok(entries.map(responseOf)))
      ),
    listOfOrg: ({ path }) =>
      lists.listOfOrg(path.org).pipe(
        toWire,
        Effect.map((entries) => ok(entries.map(namedResponseOf)))
      ),
    remove: ({ path }) =>
      lists
        .remove(path.org, path.env_name, path.fingerprint)
        .pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
