/** Silences of environments, made through the API without waiting for one. */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { plusSeconds } from "@attestry/core/Timestamp"
import { Effect, Option } from "effect"
import type { TestServer } from "../shared/TestServer.js"

const DAY = 86_400

/** The stored environment. */
export const found = (org: string, name: string) =>
  Effect.gen(function* () {
    const { id } = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make(org) }))
    const key = { org: id, name: EnvironmentName.make(name) }
    return Option.getOrThrow(yield* (yield* EnvironmentStore).findByName(key))
  })

/** Creates an environment that last reported a day ago, and lets it be silent by a cadence of a minute. */
export const silence = async (
  { call, org, run }: TestServer,
  env_name: string,
  settings: object = {}
): Promise<void> => {
  await call("PUT /environments/{org}", { body: { name: env_name, type: "server", ...settings } })
  await run(
    Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const { environment, now } = yield* found(org, env_name)
      yield* store.heartbeat(ref(environment), plusSeconds(now, -DAY))
    })
  )
  await call("PATCH /environments/{org}/{env_name}", {
    path: { env_name },
    body: { report_every: 60, when_silent: "non_compliant" }
  })
}
