/** What values of fields refer to: a flow with a trail and artifacts, environments, policies, a control, a type. */
import { assert } from "vitest"
import type { TestServer } from "../shared/TestServer.js"

/** The names of what is there. */
export const prepared = {
  flow: "shop",
  trail: "build-17",
  slots: ["web", "api"],
  fingerprints: ["a".repeat(64), "b".repeat(64)],
  commits: ["c1".repeat(20), "c2".repeat(20)],
  environments: ["member-1", "member-2"],
  policies: ["loose", "strict"],
  control: "CTL-1",
  type: "load-test",
  account: "machine",
  repo: "shop-sources"
} as const

/** A text of a policy, and another one. */
export const POLICIES = [
  "_schema: https://attestry.dev/schemas/policy/environment/v1\n",
  "_schema: https://attestry.dev/schemas/policy/environment/v1\nartifacts: {provenance: {required: true}}\n"
] as const

/** A template, and another one. */
export const TEMPLATES = [
  "version: 1\ntrail:\n  attestations: []\n",
  "version: 1\ntrail:\n  artifacts: []\n"
] as const

const { flow, trail } = prepared

const REPO = {
  name: prepared.repo,
  url: "https://example.com/shop",
  provider: "github",
  id: prepared.repo
}

const requests = (): ReadonlyArray<readonly [string, object, { [name: string]: string }?]> => [
  ["PUT /flows/{org}", { name: flow, description: "" }],
  ["PUT /trails/{org}/{flow_name}", { name: trail, repo_info: REPO }, { flow_name: flow }],
  ...prepared.fingerprints.map(
    (fingerprint, index) =>
      [
        "POST /artifacts/{org}/{flow_name}",
        {
          fingerprint,
          filename: `file-${index}`,
          build_url: "https://example.com/build",
          commit_url: "https://example.com/commit",
          git_commit: prepared.commits[0],
          trail_name: trail,
          template_reference_name: prepared.slots[index]
        },
        { flow_name: flow }
      ] as const
  ),
  ...prepared.environments.map(
    (name) => ["PUT /environments/{org}", { name, type: "K8S" }] as const
  ),
  ...prepared.policies.map(
    (name) => ["PUT /policies/{org}", { name, policy_yaml: POLICIES[0] }] as const
  ),
  ["POST /controls/{org}", { identifier: prepared.control, name: "A control" }],
  ["POST /custom-attestation-types/{org}", { name: prepared.type }],
  ["POST /service-accounts/{org}", { name: prepared.account }]
]

/** Creates what values refer to. */
export const prepare = async ({ call }: TestServer): Promise<void> => {
  for (const [operation, body, path = {}] of requests()) {
    const { status, body: answer } = await call(operation, { body, path })
    assert.include([200, 201], status, `${operation}: ${JSON.stringify(answer)}`)
  }
}
