/** Administration commands that tell what goes on: denied requests, and the server processes on the store. */
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import { GONE_AFTER_MILLIS } from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import * as Effect from "effect/Effect"
import type { AdminCommand } from "./AdminCommand.js"
import { iso } from "./IsoTime.js"

type Of<Tag extends AdminCommand["_tag"]> = Extract<AdminCommand, { readonly _tag: Tag }>

/** The services that these commands need. */
export type ObservationServices = DeniedAttemptStore | ServerProcessStore

/** The most attempts that are listed. */
const DENIED_MAX = 1_000

/** Denied requests, the newest first. */
export const listDenied = ({ org }: Of<"denied list">) =>
  Effect.gen(function* () {
    const attempts = yield* (yield* DeniedAttemptStore).list({
      ...(org === undefined ? {} : { org }),
      limit: DENIED_MAX
    })
    return attempts.map(({ actor, at, ...attempt }) => ({
      at: iso(at),
      actor: actor.name,
      ...attempt
    }))
  })

/** The server processes that live, the one that started first at the front. */
export const listProcesses = Effect.map(
  Effect.flatMap(ServerProcessStore, (store) => store.list(GONE_AFTER_MILLIS)),
  (live) =>
    live.map(({ started_at, seen_at, ...process }) => ({
      ...process,
      started_at: iso(started_at),
      seen_at: iso(seen_at)
    }))
)
