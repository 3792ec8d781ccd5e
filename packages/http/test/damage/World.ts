/** Two of everything that lists show. */

import { Login } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { ProviderId } from "@attestry/core/Provider"
import { SignInStore } from "@attestry/core/SignInStore"
import { Effect, Option } from "effect"
import { fileOf } from "../evidence/PlainReader.js"
import { failEverything } from "../notification/FailedDelivery.js"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import type { TestServer } from "../shared/TestServer.js"
import { trustYaml } from "../trust-policy/TrustPolicyTexts.js"
import { flow, prod, repoIdOf } from "./Damage.js"

const commit = {
  sha1: c1,
  message: "m",
  author: "ada <ada@example.com>",
  branch: "main",
  timestamp: 1_790_000_000
}

/** Two members who signed in with a provider. */
const signedIn = Effect.forEach(["ada", "max"], (login) =>
  Effect.gen(function* () {
    const found = yield* (yield* Memberships).findUser(Login.make(login))
    yield* (yield* SignInStore).insertSignIn({
      provider: ProviderId.make("okta"),
      outcome: "signed-in",
      user_id: Option.getOrThrow(found).user.id,
      subject: null
    })
  })
)

/** Two of everything. */
export const fill = async (server: TestServer): Promise<void> => {
  const { call } = server
  const { artifact, attest, begin, generic } = evidenceOf(server, "shop")
  const repo = (id: string) => ({
    repo_info: { id, name: `r${id}`, url: `https://git.example.org/${id}`, provider: "github" }
  })
  const put = (operation: string, body: object, path = {}) => call(operation, { body, path })
  await put("PUT /flows/{org}", { name: "other", description: "" })
  await begin("t1", { git_commit_info: commit })
  await begin("t2", { git_commit_info: commit })
  await artifact("t1", "app", F, c1, repo("1"))
  await artifact("t2", "app", E, c1, repo("1"))
  await begin("t2", { git_commit_info: commit, ...repo("2") })
  for (const name of ["r1", "r2"]) {
    const resource_id = await repoIdOf(server, name)
    await put(
      "PATCH /tags/{org}/{resource_type}/{resource_id}",
      { set_tags: { name } },
      { resource_type: "repo", resource_id }
    )
  }
  for (const ok of [true, false]) {
    await generic("t1", "a", ok)
    await generic("t1", "on", ok, { artifact_fingerprint: F })
    await put("POST /approvals/{org}/{flow_name}", { artifact_fingerprint: F }, flow)
  }
  for (const sha256 of [E, F])
    await call("POST /evidence/{org}", {
      raw: fileOf({ subjects: [{ sha256 }], purls: [`pkg:npm/lib@${sha256.slice(0, 4)}`] })
    })
  for (const name of ["c1", "c2"]) {
    await put("POST /controls/{org}", { identifier: name, name })
    await put("POST /custom-attestation-types/{org}", { name: `type-${name}` })
    const policy = `_schema: https://example.org/v1\nartifacts:\n  provenance:\n    required: true\n`
    await put("PUT /policies/{org}", { name: `policy-${name}`, policy_file: policy })
    await put("PUT /trust-policy/{org}", { trust_yaml: trustYaml(name) })
    await put("POST /waivers/{org}", {
      policy_name: `policy-${name}`,
      reason: "r",
      expires_at: Date.now() / 1_000 + 3_600
    })
    await attest("t1", "system", {
      attestation_name: `decided-${name}`,
      type_name: "decision",
      control: "c1",
      attestation_data: { is_compliant: true }
    })
  }
  await put("PUT /controls/{org}/{identifier}", { name: "renamed" }, { identifier: "c1" })
  for (const name of ["prod", "stage"]) {
    await put("PUT /environments/{org}", { name, type: "docker" })
    await put("PUT /organizations/{org}/environments_notifications", {
      name,
      environments: [name],
      triggers: ["ON_STARTED_ARTIFACT"],
      targets: [{ type: "EMAIL", emails: ["ada@example.com"] }]
    })
  }
  for (const [name, print] of [
    ["shop", F],
    ["web", E]
  ] as const) {
    const artifacts = [{ digests: { [name]: print }, creationTimestamp: 1 }]
    await put("PUT /environments/{org}/{env_name}/report/docker", { artifacts }, prod)
    await put(
      "PUT /allowlists/{org}/{env_name}",
      { artifact_fingerprint: print, artifact_name: name, description: "d" },
      prod
    )
  }
  await put(
    "PUT /environments/{org}/{env_name}/report/docker",
    { artifacts: [{ digests: { shop: F }, creationTimestamp: 1 }] },
    { env_name: "stage" }
  )
  for (const name of ["a", "b"]) {
    await put("POST /service-accounts/{org}", { name, privilege: "reader" })
    await put("POST /service-accounts/{org}/{name}/api-keys", { description: name }, { name: "a" })
  }
  for (const role of ["reader", "member"]) await put("POST /invitations/{org}", { role })
  for (const team of ["pay", "ops"]) {
    await put("PUT /teams/{org}/{team}", {}, { team })
    for (const login of ["max", "rob"])
      await call("PUT /teams/{org}/{team}/members/{login}", { path: { team, login } })
  }
  for (const path of ["pay", "ops"]) {
    await put("POST /spaces/{org}", { path })
    await put("PUT /grants/{org}", {
      subject: { kind: "team", name: path },
      space: path,
      role: "reader"
    })
  }
  await server.run(failEverything)
  await server.run(signedIn)
  for (const value of [commit.message, commit.author]) {
    await put("POST /erasures/{org}", { value, reason: "asked", preview: false })
  }
  await put("PUT /grants/{org}", {
    subject: { kind: "everyone" },
    space: "/",
    role: "reader",
    eligible: true
  })
  for (const number of ["1", "2"]) {
    const reason = "it burns"
    await put("POST /break-glass/{org}", { space: "/", role: "reader", reason, minutes: 15 })
    await call("POST /break-glass/{org}/{number}/close", { path: { number } })
  }
  await put("PUT /protections/{org}", { protections: [{ kinds: ["policy"] }] })
  for (const name of ["held-1", "held-2"])
    await put("POST /proposals/{org}", {
      operation: "policy.put",
      params: { org: server.org, name },
      body: { policy_yaml: "_schema: https://example.org/v1\nartifacts: {}\n" },
      reason: "asked"
    })
}
