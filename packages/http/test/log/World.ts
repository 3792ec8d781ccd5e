/** Writes of every kind that covered tables know, through the API. */
import { assert } from "vitest"
import { silence } from "../environment/Silence.js"
import { fileOf, type PlainLine } from "../evidence/PlainReader.js"
import type { TestServer } from "../shared/TestServer.js"
import { trustYaml } from "../trust-policy/TrustPolicyTexts.js"

/** The fingerprint of the artifact that runs. */
export const FINGERPRINT = "a".repeat(64)

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
`

const TEMPLATE = `version: 1
trail:
  attestations: []
  artifacts:
    - name: backend
      attestations:
        - name: scan
          type: generic
`

const COMMIT = {
  sha1: "b".repeat(40),
  branch: "main",
  message: "m",
  author: "Ada <ada@example.org>",
  timestamp: 1_700_000_000,
  url: "https://git.example.com/c"
}

/** A request for a waiver, which changes no verdict before it is approved. */
const waiver = (policy_name: string) => ({
  policy_name,
  reason: "the scanner is down",
  expires_at: Date.now() / 1000 + 86_400
})

/** Makes calls that must succeed. */
const maker =
  ({ call }: TestServer) =>
  async (operation: string, path: { readonly [name: string]: string }, body: unknown) => {
    const { status, body: answer } = await call(operation, { path, body })
    assert.isBelow(status, 300, `${operation}: ${JSON.stringify(answer)}`)
    return answer
  }

type Make = ReturnType<typeof maker>

/** Accepts an evidence file with this line; returns its digest. */
const accept = async ({ call }: Pick<TestServer, "call">, line: PlainLine) => {
  const { body, status } = await call("POST /evidence/{org}", { raw: fileOf(line) })
  assert.strictEqual(status, 201, JSON.stringify(body))
  const { documents } = body as { readonly documents: ReadonlyArray<{ readonly digest: string }> }
  return documents[0]?.digest ?? ""
}

const evidence = async (make: Make, { call }: TestServer) => {
  await make("PUT /flows/{org}", {}, { name: "shop", description: "one" })
  await make("PUT /flows/{org}", {}, { name: "shop", description: "two", template: ["backend"] })
  await make("PUT /flows/{org}", {}, { name: "old", description: "" })
  await make("PUT /flows/{org}/{flow_name}/rename", { flow_name: "old" }, { new_name: "older" })
  await make("PUT /flows/{org}/{flow_name}/archive", { flow_name: "older" }, undefined)
  const shop = { flow_name: "shop" }
  await make("PUT /trails/{org}/{flow_name}", shop, { name: "one", git_commit_info: COMMIT })
  await make("PUT /trails/{org}/{flow_name}", shop, { name: "one", description: "later" })
  const form = new FormData()
  form.append("data_json", JSON.stringify({ name: "two" }))
  form.append("template_file", new Blob([TEMPLATE]), "template.yml")
  const begun = await call("PUT /trails/{org}/{flow_name}", { path: shop, raw: form })
  assert.strictEqual(begun.status, 201, JSON.stringify(begun.body))
  await make("POST /artifacts/{org}/{flow_name}", shop, {
    fingerprint: FINGERPRINT,
    filename: "shop:1.0",
    trail_name: "one",
    template_reference_name: "backend",
    git_commit: "b".repeat(40),
    build_url: "https://ci.example.com/1",
    commit_url: "https://git.example.com/c",
    repo_info: { name: "acme/shop", url: "https://git.example.com/acme/shop" }
  })
  const trail = { flow_name: "shop", trail_name: "one" }
  const generic = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
  await make(generic, trail, {
    attestation_name: "scan",
    is_compliant: true,
    artifact_fingerprint: FINGERPRINT,
    user_data: { ratio: 0.5, é: [1, null] }
  })
  const attached = new FormData()
  attached.append(
    "data_json",
    JSON.stringify({ attestation_name: "report", is_compliant: false, description: "file" })
  )
  attached.append("attachment_file", new Blob(["content of a file"]), "report.txt")
  const sent = await call(generic, { path: trail, raw: attached })
  assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
  await accept({ call }, { subjects: [{ sha256: FINGERPRINT }, { sha256: "d".repeat(64) }] })
  await make("POST /approvals/{org}/{flow_name}", shop, {
    artifact_fingerprint: FINGERPRINT,
    description: "please",
    environment: "prod",
    reviews: [{ state: "APPROVED", comment: "yes", approved_by: "eve" }]
  })
}

const settings = async (make: Make) => {
  await make("POST /custom-attestation-types/{org}", {}, { name: "cover", description: "one" })
  await make("POST /custom-attestation-types/{org}", {}, { name: "cover", description: "two" })
  const type = { type_name: "cover" }
  await make("PUT /custom-attestation-types/{org}/{type_name}/archive", type, undefined)
  await make("POST /controls/{org}", {}, { identifier: "C-1", name: "first" })
  await make("PUT /controls/{org}/{identifier}", { identifier: "C-1" }, { name: "second" })
  await make("POST /controls/{org}/{identifier}/archive", { identifier: "C-1" }, undefined)
  await make("PUT /policies/{org}/{name}", { name: "known" }, { policy_yaml: POLICY })
  await make("PUT /sign-in/{org}", {}, { session_hours: 8, fresh_minutes: null })
  await make("PUT /agent-accounts/{org}", {}, { accounts: ["Acme-Coder", "acme-reviewer"] })
  await make(
    "PUT /waiver-settings/{org}",
    {},
    {
      max_days: 30,
      approvals_required: 1,
      approver_role: "admin",
      self_approval: false
    }
  )
  await make("PUT /trust-policy/{org}", {}, { trust_yaml: trustYaml("one"), comment: "one" })
  await make("POST /waivers/{org}", {}, waiver("known"))
  await make("POST /waivers/{org}/{number}/revoke", { number: "1" }, { reason: "fixed" })
  await make(
    "PUT /policies/{org}/{name}",
    { name: "known" },
    {
      policy_yaml: `${POLICY}\n`,
      description: "later",
      comment: "a line more"
    }
  )
  await make("POST /service-accounts/{org}", {}, { name: "ci", privilege: "member" })
  await make("PATCH /service-accounts/{org}/{name}", { name: "ci" }, { description: "pipeline" })
  const keys = "POST /service-accounts/{org}/{name}/api-keys"
  await make(keys, { name: "ci" }, { description: "first" })
  const scope = { permissions: ["gate", "trail.write"], networks: ["10.0.0.0/8"] }
  await make(keys, { name: "ci" }, { description: "narrow", scope })
  await make("POST /service-accounts/{org}", {}, { name: "gone", privilege: "reader" })
  await make(keys, { name: "gone" }, { description: "second" })
  await make("DELETE /service-accounts/{org}/{name}", { name: "gone" }, undefined)
  await make(
    "PUT /service-accounts/{org}/{name}/identity-rules",
    { name: "ci" },
    {
      rules: [{ issuer: "https://id.example.com", audience: "attestry", subject: "repo:acme/*" }]
    }
  )
}

/** Invites a person who accepts, and returns the login. */
const invite = async (make: Make, login: string, names: object = {}) => {
  const made = await make("POST /invitations/{org}", {}, { role: "member", ...names })
  const { secret } = made as { readonly secret: string }
  await make("POST /invitation/accept", {}, { secret, login, display_name: `Person ${login}` })
  return { login }
}

const people = async (make: Make) => {
  const zoe = await invite(make, "zoe", {
    login: "zoe",
    display_name: "Zoë",
    email: "zoe@example.org"
  })
  await make("POST /memberships/{org}/{login}/sign-out", zoe, undefined)
  await make("POST /memberships/{org}/{login}/suspend", zoe, undefined)
  const kim = await invite(make, "kim")
  await make("POST /memberships/{org}/{login}/suspend", kim, undefined)
  await make("PUT /memberships/{org}/{login}", kim, { role: "reader" })
  await make("POST /memberships/{org}/{login}/restore", kim, undefined)
  const lee = await invite(make, "lee")
  await make("DELETE /memberships/{org}/{login}", lee, undefined)
  const made = await make("POST /invitations/{org}", {}, { role: "reader", days: 30 })
  const { id } = made as { readonly id: string }
  await make("POST /invitations/{org}/{invitation_id}/revoke", { invitation_id: id }, undefined)
}

const environments = async (make: Make) => {
  await make("PUT /environments/{org}", {}, { name: "prod", type: "docker", description: "one" })
  const env = { env_name: "prod" }
  await make("POST /environments/{org}/{env_name}/policies", env, {
    policy_names: ["known"],
    mode: "warn"
  })
  await make("PUT /allowlists/{org}/{env_name}", env, {
    artifact_fingerprint: "c".repeat(64),
    artifact_name: "tool",
    description: "known"
  })
  const report = (letter: string) =>
    make("PUT /environments/{org}/{env_name}/report/docker", env, {
      artifacts: [{ digests: { "shop:1.0": letter.repeat(64) }, creationTimestamp: 1_700_000_000 }]
    })
  await report("a")
  await report("d")
  await make("PUT /environments/{org}", {}, { name: "prod", type: "docker", description: "two" })
  await make("PUT /environments/{org}", {}, { name: "all", type: "logical", description: "" })
  await make(
    "PUT /environments/{org}/{env_name}/join",
    { env_name: "all" },
    {
      physical_env_name: "prod"
    }
  )
  await make(
    "PATCH /tags/{org}/{resource_type}/{resource_id}",
    {
      resource_type: "environment",
      resource_id: "prod"
    },
    { set_tags: { tier: "one" } }
  )
}

/** Fills an org. */
export const fill = async (server: TestServer): Promise<void> => {
  const make = maker(server)
  await settings(make)
  await people(make)
  await environments(make)
  await silence(server, "silent")
  await evidence(make, server)
}

/** A second record of every kind that `fill` makes one of. */
export const fillSeconds = async (server: TestServer): Promise<void> => {
  const make = maker(server)
  const digest = await accept(server, {
    kind: "provenance",
    subjects: [{ sha256: FINGERPRINT }, { sha256: "e".repeat(64) }],
    rule: "releases"
  })
  const about = { vulnerability: "CVE-1", justification: "not there", at: 1.5 }
  const stated = { kind: "vex" as const, subjects: [{ sha256: FINGERPRINT }] }
  await accept(server, {
    ...stated,
    rule: "releases",
    statements: [{ ...about, subcomponents: ["pkg:npm/x@1", "pkg:npm/y@1"] }, about]
  })
  await accept(server, {
    ...stated,
    statements: [{ vulnerability: "CVE-2", product: "pkg:npm/z@1", status: "affected", at: 2 }]
  })
  await accept(server, {
    kind: "scan",
    subjects: [{ sha256: "9".repeat(64) }],
    findings: [{ id: "CVE-1", severity: "high", purl: "pkg:npm/x@1" }]
  })
  // Complies for no artifact, so that its subjects differ from those of the documents before.
  await accept(server, { components: 0, subjects: [{ sha256: "f".repeat(64) }] })
  await silence(server, "silent-too")
  await make(
    "PATCH /environments/{org}/{env_name}",
    { env_name: "silent-too" },
    { report_every: null }
  )
  await make("POST /custom-attestation-types/{org}", {}, { name: "lint", description: "other" })
  await make("POST /controls/{org}", {}, { identifier: "C-2", name: "other" })
  await make("PUT /policies/{org}/{name}", { name: "other" }, { policy_yaml: `${POLICY}# other\n` })
  const others = trustYaml("two").replace("releases", "others")
  await make("PUT /trust-policy/{org}", {}, { trust_yaml: others, comment: "two" })
  const judged = await make("POST /evidence/{org}/{digest}/judge", { digest }, undefined)
  assert.deepInclude(judged, { changed: 1 })
  await make("POST /waivers/{org}", {}, waiver("other"))
  await make("POST /service-accounts/{org}", {}, { name: "cd", privilege: "admin" })
  const keys = "POST /service-accounts/{org}/{name}/api-keys"
  await make(keys, { name: "cd" }, { description: "third" })
  await make(
    "PUT /service-accounts/{org}/{name}/identity-rules",
    { name: "cd" },
    { rules: [{ issuer: "https://id.example.com", audience: "other", subject: "repo:acme/b" }] }
  )
  await make(
    "PUT /allowlists/{org}/{env_name}",
    { env_name: "prod" },
    { artifact_fingerprint: "d".repeat(64), artifact_name: "other", description: "other" }
  )
  const shop = { flow_name: "shop" }
  await make("POST /artifacts/{org}/{flow_name}", shop, {
    fingerprint: "e".repeat(64),
    filename: "shop:2.0",
    trail_name: "two",
    template_reference_name: "backend",
    git_commit: "c".repeat(40),
    build_url: "https://ci.example.com/2",
    commit_url: "https://git.example.com/d",
    repo_info: { name: "acme/other", url: "https://git.example.com/acme/other" }
  })
  await make("POST /approvals/{org}/{flow_name}", shop, {
    artifact_fingerprint: "e".repeat(64),
    description: "other",
    environment: "prod",
    reviews: [{ state: "APPROVED", comment: "no", approved_by: "ben" }]
  })
}
