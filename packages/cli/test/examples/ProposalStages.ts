/** What examples of proposals need: protections, and a proposal of another person. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type OrgId, OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import type { Protections } from "@attestry/core/Protection"
import { ProtectionStore } from "@attestry/core/ProtectionStore"
import { rootOf } from "@attestry/core/Space"
import { Effect, Option } from "effect"
import { assert } from "vitest"
import { folder, run } from "../shared/Run.js"
import * as ExampleFiles from "./ExampleFiles.js"
import type { Given } from "./ExampleStages.js"
import type { ExampleWorld } from "./ExampleWorld.js"

/** Sets the protections of the org without asking anybody. */
const protect = (
  { deployment }: Pick<ExampleWorld, "deployment">,
  protectionsOf: (org: OrgId) => Protections
): Promise<void> =>
  deployment.run(
    Effect.gen(function* () {
      const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make("acme") }))
      yield* (yield* ProtectionStore).put(org.id, protectionsOf(org.id))
    })
  )

/** Takes the protections away, so that other examples are not held. */
export const unprotect = (world: Pick<ExampleWorld, "deployment">): Promise<void> =>
  protect(world, () => [])

/** A protection of the whole of an org. */
const protectedIn = (org: OrgId): Protections => [
  {
    kinds: ["policy", "attachment", "access"],
    space_id: rootOf(org),
    approvals: 1,
    team: null,
    days: 14
  }
]

let made = 0

/** A policy of a new name, with another text than the file. */
const proposable = async (world: ExampleWorld): Promise<Given> => {
  const name = `held-rules-${made++}`
  const file = join(folder(), "before.yaml")
  writeFileSync(file, ExampleFiles.POLICY.replace("true", "false"))
  await world.done("put", "policy", name, file)
  await protect(world, protectedIn)
  return { words: { "prod-rules": name } }
}

/** A proposal of a member. */
const proposed = async (world: ExampleWorld): Promise<Given> => {
  await protect(world, protectedIn)
  const file = join(world.cwd, "policies/prod-rules.yaml")
  const ran = await run(
    [
      ...["propose", "--reason", "x", "-o", "json", "--"],
      ...["put", "policy", `asked-rules-${made++}`, file]
    ],
    { cwd: world.cwd, env: { ...world.env, ATTESTRY_API_KEY: world.deployment.keys.member } }
  )
  assert.strictEqual(ran.code, 0, ran.stderr)
  const [{ digest, number }] = JSON.parse(ran.stdout).proposals
  return { words: { "1": String(number), HEX: digest } }
}

const protectedOrg = async (world: ExampleWorld): Promise<Given> => {
  await protect(world, protectedIn)
  return {}
}

/** The stages by command. */
export const STAGES: {
  readonly [command: string]: (world: ExampleWorld) => Promise<Given>
} = {
  propose: proposable,
  "proposal show": proposed,
  "proposal approve": proposed,
  "proposal reject": proposed,
  "proposal withdraw": proposed,
  "protection get": protectedOrg
}
