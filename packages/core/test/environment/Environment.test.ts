/** The effect of a request on an environment. */
import { assert, describe, it } from "@effect/vitest"
import * as Environment from "../../src/environment/Environment.js"
import {
  EnvironmentKindMismatch,
  EnvironmentNotFound
} from "../../src/environment/EnvironmentFailure.js"
import { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { environmentContent, environmentDraft } from "../../testing/arbitrary/Environment.js"

const at = Timestamp.fromSeconds(1_790_000_000)
const identity = { org_id: OrgId.make("org-1"), id: EnvironmentId.make("environment-1") }

const generated = {
  content: environmentContent,
  // Use cases resolve the names of members and policies.
  draft: environmentDraft.map(({ included_environments: _, policies: _names, ...draft }) => draft)
}

describe("Environment", () => {
  it.prop("changes the settings and the time, and nothing else", generated, (given) => {
    const current = { ...identity, ...given.content }
    const { draft } = given
    assert.deepStrictEqual(Environment.revise(current, draft, at), {
      ...current,
      description: draft.description ?? current.description,
      include_scaling: draft.include_scaling ?? current.include_scaling,
      last_modified_at: at
    })
  })

  it.prop("has the same settings after the same request again", generated, (given) => {
    const once = Environment.revise({ ...identity, ...given.content }, given.draft, at)
    const again = Environment.revise(once, given.draft, Timestamp.plusSeconds(at, 1))
    assert.strictEqual(Environment.sameSettings(once, again), true)
  })

  it.prop("compares settings, and never times or names", generated, (given) => {
    const current = { ...identity, ...given.content }
    const elsewhere = { ...current, id: EnvironmentId.make("other"), last_reported_at: at }
    assert.strictEqual(Environment.sameSettings(current, elsewhere), true)
    const scaling = { ...current, include_scaling: !current.include_scaling }
    assert.strictEqual(Environment.sameSettings(current, scaling), false)
    const described = { ...current, description: `${current.description}.` }
    assert.strictEqual(Environment.sameSettings(current, described), false)
  })

  it("is referred to by org and id", () =>
    assert.deepStrictEqual(Environment.ref(identity), {
      org: identity.org_id,
      environment: identity.id
    }))

  it("names the missing environment, and the kind of the request", () => {
    const environment = EnvironmentName.make("prod")
    assert.strictEqual(
      new EnvironmentNotFound({ org: OrgName.make("acme"), environment }).message,
      "there is no environment `prod` in org `acme`"
    )
    assert.strictEqual(
      new EnvironmentKindMismatch({ environment, kind: "K8S", asked: "docker" }).message,
      "environment `prod` is of type `K8S`, not `docker`"
    )
  })
})
