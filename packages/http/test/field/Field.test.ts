/**
 * Every field of every payload survives: what a request writes is what each read shows, after a creation and after each
 * kind of change, on every store.
 *
 * Fields come from the published document, so a new one is covered at once.
 */
import type { Environment } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { Ports } from "@attestry/core/Ports"
import { Effect, Layer } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as PublishedOperation from "../fuzz/PublishedOperation.js"
import { onEveryStore } from "../shared/TestServer.js"
import { evidence } from "./EvidenceResources.js"
import * as FieldDriver from "./FieldDriver.js"
import { prepare } from "./PreparedOrg.js"
import { settings } from "./SettingResources.js"

const resources = [...settings, ...evidence]

/** Operations whose payload is no resource, each with the reason. */
const NOT_RESOURCES: { readonly [operation: string]: string } = {
  "flow.rename": "it changes a name alone",
  "environment.rename": "it changes a name alone",
  "environment.join": "it changes the members of a logical environment alone",
  "environment.attach": "it changes policies alone",
  "environment.detach": "it changes policies alone",
  "action.createForEnvironments": "the payload of `environmentNotification.create`",
  "log.patch": "it sets who may read the log, which `Public.test.ts` writes and reads back",
  "log.erase": "it erases members, and sets nothing",
  "delivery.replay": "it names deliveries, and sets nothing",
  "personalKey.create": "it is never changed; `PersonalKey.test.ts` writes and reads it back",
  "apiKey.rotate": "it sets when two keys end, and nothing else",
  "session.open": "it carries a key",
  "session.offer": "it carries a challenge, and sets nothing",
  "session.claim": "it carries a code and its verifier",
  "membership.put": "it sets a role alone, which `OrgMembers.test.ts` writes and reads back",
  "invitation.create": "it is never changed; `Invitation.test.ts` writes and reads it back",
  "invitation.look": "it asks, and stores nothing",
  "invitation.accept": "it carries a secret, and the names of a person",
  "invitation.join": "it carries a secret, and sets nothing",
  "waiver.request": "its answer has more states, which `Waiver.test.ts` writes and reads back",
  "waiver.approve": "it decides, and sets a comment alone",
  "waiver.reject": "it decides, and sets a comment alone",
  "waiver.revoke": "it ends a waiver, and sets a reason alone",
  "waiver.putSettings": "`Waiver.test.ts` writes and reads it back",
  "breakGlass.open": "its answer has more states, which `BreakGlass.test.ts` writes and reads back",
  "breakGlass.review": "it decides, and sets a note alone",
  "proposal.make": "its answer has more states, which `Proposal.test.ts` writes and reads back",
  "proposal.approve": "it decides, and sets a comment alone",
  "proposal.reject": "it decides, and sets a comment alone",
  "protection.put": "`Proposal.test.ts` writes and reads it back",
  "agentAccount.put": "`AgentAccount.test.ts` writes and reads it back",
  "team.put": "its name is in the path; `Team.test.ts` writes and reads it back",
  "space.create": "its answer has more states, which `Space.test.ts` writes and reads back",
  "space.change": "it keeps what it does not name; `Space.test.ts` writes and reads it back",
  "space.move": "it moves, and sets nothing",
  "placementRule.put": "it names spaces, which `Space.test.ts` writes and reads back",
  "grant.put": "it names a person and a space; `Grant.test.ts` writes and reads it back",
  "trustPolicy.put": "its text is of one form, which `TrustPolicy.test.ts` writes and reads back",
  "policyAuthoring.lint": "it asks, and stores nothing",
  "policyAuthoring.test": "it asks, and stores nothing",
  "policyAuthoring.compare": "it asks, and stores nothing",
  "policyAuthoring.suggest": "it asks, and stores nothing",
  "capsule.create": "it asks, and stores nothing",
  "policyLab.dryRun": "it asks, and stores nothing",
  "policyLab.backtest": "it asks, and stores nothing",
  "signIn.put": "`SignIn.test.ts` writes and reads it back",
  "signIn.link": "it begins a conversation with a provider, and stores nothing",
  "workloadIdentity.putRules":
    "it is a list with defaults, which `IdentityRules.test.ts` writes and reads back",
  "workloadIdentity.exchange": "it carries a token, and sets nothing"
}

/** Reports of environments are read as snapshots, which have laws of their own. */
const isReport = (id: string): boolean => id.startsWith("report.")

describe("the resources", () => {
  it("are all that payloads of the document write", () => {
    const covered = resources.flatMap(({ create, updates }) => [
      create,
      ...updates.map(({ by }) => by)
    ])
    const written = PublishedOperation.all
      .filter(({ id, content }) => content["application/json"] !== undefined && !isReport(id))
      .map(({ id }) => id)
    assert.deepStrictEqual(
      written.filter((id) => !covered.includes(id) && !(id in NOT_RESOURCES)),
      []
    )
    assert.deepStrictEqual(
      Object.keys(NOT_RESOURCES).filter((id) => !written.includes(id)),
      []
    )
  })
})

onEveryStore(
  "every field of a payload",
  (server) => {
    beforeAll(() => prepare(server))

    let count = 0
    const fresh = (): string => `field-${++count}`

    for (const resource of resources) {
      const driver = FieldDriver.make(server, resource)

      it(`of ${resource.title} is shown after creation`, async () => {
        const { payload, place } = await driver.create(fresh())
        assert.isNotEmpty(Object.keys(payload))
        assert.deepStrictEqual(await driver.lost(place, payload), [])
      })

      for (const update of resource.updates) {
        it(`of ${resource.title} is changed by ${update.by}, which loses no other`, async () => {
          const lost: Array<string> = []
          for (const [field] of FieldDriver.pairsOf(resource, "", update.by)) {
            const found = await driver.lostByChange(update, field, fresh())
            lost.push(...found.map((each) => `a change of ${field}: ${each}`))
          }
          assert.deepStrictEqual(lost, [])
        })
      }
    }
  },
  {
    limits: {
      failuresPerKey: 1e9,
      failuresPerSource: 1e9,
      perOrg: 1e9,
      writesPerOrg: 1e9,
      perCredential: 1e9
    }
  }
)

/** A store of environments whose update keeps the stored value of one field. */
const forgetful = Layer.effect(
  EnvironmentStore,
  Effect.map(EnvironmentStore, (store) => ({
    ...store,
    update: (environment: Environment) => store.update({ ...environment, include_scaling: true })
  }))
)

onEveryStore(
  "a field that an update loses",
  (server) => {
    beforeAll(() => prepare(server))

    it("is found", async () => {
      const [resource] = settings.filter(({ create }) => create === "environment.put")
      assert.isDefined(resource)
      if (resource === undefined) return
      const lost = await FieldDriver.make(server, resource).lostByChange(
        { by: "environment.put", keeps: true },
        "include_scaling",
        "forgotten"
      )
      assert.lengthOf(lost, resource.reads.length)
    })
  },
  // WHY a claim: the layer gives the port that it takes.
  { override: forgetful as unknown as Layer.Layer<never, never, Ports> }
)
