/**
 * Two orgs that differ only in what people of one space may not read, for law AC-10.
 *
 * Both have the same things in the space `retail`; one also has things in the space `platform`, which use those of
 * `retail` in every way that one thing can use another.
 */
import { assert } from "vitest"
import { fileOf } from "../evidence/PlainReader.js"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import type { CallOptions, TestServer } from "../shared/TestServer.js"

/** The names of things: in `retail` before and after the hidden ones, and in `platform`. */
export type TwinName = "mine" | "more" | "canary-1"

/** The hidden name. */
export const HIDDEN = "canary-1"

/** A hidden environment that flows which are read name in their approvals. */
const APPROVED = "production"

/** Fingerprints that begin alike, so that a prefix of a whole reader is ambiguous. */
export const FINGERPRINT: { readonly [name in TwinName]: string } = {
  mine: `abcde${"a".repeat(59)}`,
  more: `abcdf${"b".repeat(59)}`,
  [HIDDEN]: `abcde${"c".repeat(59)}`
}

/** Commits that begin alike. */
export const COMMIT: { readonly [name in TwinName]: string } = {
  mine: `fedcb${"1".repeat(35)}`,
  more: `fedcd${"2".repeat(35)}`,
  [HIDDEN]: `fedcb${"3".repeat(35)}`
}

const repoOf = (name: TwinName) => ({
  id: name,
  name,
  url: `https://git.${name}.example/${name}`,
  provider: name === HIDDEN ? "gitlab" : "github",
  namespace_path: [name]
})

const infoOf = (name: TwinName) => ({
  sha1: COMMIT[name],
  message: name,
  author: `${name} <${name}@x.example>`,
  branch: name,
  timestamp: 1
})

/** Makes the org, and the people who read a part of it. */
export const twinWorld = (server: TestServer) => {
  const { call } = server
  const people = fixtureOf(server)

  /** Calls one after the other, so that both orgs number things alike. */
  const done = async (
    ...calls: ReadonlyArray<readonly [operation: string, options: CallOptions]>
  ) => {
    for (const [operation, options] of calls) {
      const { body, status } = await call(operation, options)
      assert.isBelow(status, 300, `${operation} ${JSON.stringify(body)}`)
    }
  }

  const given = async (...made: Parameters<typeof people.grant>) => {
    const { body, status } = await people.grant(...made)
    assert.isBelow(status, 300, JSON.stringify(body))
  }

  /** A flow with a trail, an artifact, attestations, an override, an approval and evidence. */
  const flow = async (name: TwinName, space: string) => {
    const path = { flow_name: name, trail_name: name }
    const on = "POST /attestations/{org}/{flow_name}/trail/{trail_name}"
    await done(["PUT /flows/{org}", { body: { name, description: name, space } }])
    await done([
      "PUT /trails/{org}/{flow_name}",
      {
        path,
        body: { name, description: name, repo_info: repoOf(name), git_commit_info: infoOf(name) }
      }
    ])
    await done([
      "POST /artifacts/{org}/{flow_name}",
      {
        path,
        body: {
          fingerprint: FINGERPRINT[name],
          filename: name,
          git_commit: COMMIT[name],
          git_commit_info: infoOf(name),
          build_url: `https://${name}.example/${name}`,
          commit_url: `https://git.example/${name}`,
          repo_info: repoOf(name),
          trail_name: name,
          template_reference_name: name
        }
      }
    ])
    await done([
      `${on}/generic`,
      {
        path,
        body: { attestation_name: name, is_compliant: true, description: name }
      }
    ])
    await done(
      [
        `${on}/override`,
        {
          path,
          body: {
            attestation_name: name,
            reason: name,
            new_compliance_status: false,
            original_attestation_type: "generic"
          }
        }
      ],
      [
        "POST /approvals/{org}/{flow_name}",
        {
          path,
          body: { artifact_fingerprint: FINGERPRINT[name], environment: APPROVED }
        }
      ],
      [
        "PATCH /tags/{org}/{resource_type}/{resource_id}",
        {
          path: { resource_type: "flow", resource_id: name },
          body: { set_tags: { [name]: name } }
        }
      ],
      [
        "POST /evidence/{org}",
        {
          query: `?filename=${name}.json`,
          raw: fileOf(
            { kind: "sbom", subjects: [{ sha256: FINGERPRINT[name] }], salt: name },
            {
              kind: "sbom",
              purls: [`pkg:npm/${name}@1.0.0`],
              subjects: [{ sha256: FINGERPRINT[name] }]
            }
          )
        }
      ]
    )
  }

  /** Reports what an environment runs. */
  const report = (
    env_name: string,
    fingerprints: ReadonlyArray<string>
  ): readonly [operation: string, options: CallOptions] => [
    "PUT /environments/{org}/{env_name}/report/docker",
    {
      path: { env_name },
      body: {
        artifacts: fingerprints.map((fingerprint, index) => ({
          digests: { [`${env_name}-${index}`]: fingerprint },
          creationTimestamp: 1
        }))
      }
    }
  ]

  /** A policy, a control, decisions and environments, a logical one too. */
  const rules = async (name: TwinName, space: string) => {
    await done([
      "POST /controls/{org}",
      { body: { identifier: name, name, description: name, space } }
    ])
    await done(
      [
        "PUT /policies/{org}/{name}",
        {
          path: { name },
          body: {
            policy_yaml: policyYaml(
              `  attestations:\n    - type: decision\n      for_control: ${name}\n`
            ),
            description: name,
            space
          }
        }
      ],
      [
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/system",
        {
          path: { flow_name: name, trail_name: name },
          body: {
            attestation_name: `decision-${name}`,
            type_name: "decision",
            control: name,
            attestation_data: { is_compliant: true, reason: name }
          }
        }
      ],
      [
        "PUT /environments/{org}",
        {
          body: { name, type: "docker", description: name, space, policies: [name] }
        }
      ]
    )
    await done([
      "PUT /environments/{org}",
      {
        body: { name: `all-${name}`, type: "logical", description: name, space }
      }
    ])
    await done(
      [
        "PUT /environments/{org}/{env_name}/join",
        {
          path: { env_name: `all-${name}` },
          body: { physical_env_name: name }
        }
      ],
      [
        "PUT /allowlists/{org}/{env_name}",
        {
          path: { env_name: name },
          body: {
            artifact_fingerprint: FINGERPRINT[name],
            artifact_name: name,
            description: name
          }
        }
      ],
      report(name, [FINGERPRINT[name]]),
      [
        "PATCH /tags/{org}/{resource_type}/{resource_id}",
        {
          path: { resource_type: "env", resource_id: name },
          body: { set_tags: { [name]: name } }
        }
      ]
    )
  }

  /** A waiver, an account with a key, and a grant. */
  const access = async (name: TwinName, space: string) => {
    await done(
      [
        "POST /waivers/{org}",
        {
          body: {
            policy_name: name,
            environment: name,
            reason: name,
            owner: "ada",
            expires_at: Math.floor(Date.now() / 1000) + 86_400
          }
        }
      ],
      [
        "POST /service-accounts/{org}",
        {
          body: { name, description: name, privilege: "none", space }
        }
      ]
    )
    await done([
      "POST /service-accounts/{org}/{name}/api-keys",
      {
        path: { name },
        body: { description: name }
      }
    ])
    await given(`service-account ${name}`, space, "member", { reason: name })
  }

  const build = async (name: TwinName, space: string) => {
    await flow(name, space)
    await rules(name, space)
    await access(name, space)
  }

  /** What is hidden: its like in another space, and every use of it of what is in `retail`. */
  const hide = async () => {
    assert.strictEqual((await people.make("platform")).status, 201)
    assert.strictEqual((await people.make(`platform/${HIDDEN}`)).status, 201)
    await done([
      "PUT /environments/{org}",
      { body: { name: APPROVED, type: "docker", description: HIDDEN, space: "platform" } }
    ])
    await build(HIDDEN, "platform")
    const team = { team: HIDDEN }
    await people.person("hal", "none")
    await done(["PUT /teams/{org}/{team}", { path: team, body: { description: HIDDEN } }])
    await given(`team ${HIDDEN}`, "platform", "admin")
    await done(
      ["PUT /teams/{org}/{team}/members/{login}", { path: { ...team, login: "hal" } }],
      report(HIDDEN, [FINGERPRINT.mine, FINGERPRINT[HIDDEN]]),
      [
        "POST /environments/{org}/{env_name}/policies",
        {
          path: { env_name: HIDDEN },
          body: { policy_names: ["mine"] }
        }
      ],
      [
        "PUT /environments/{org}/{env_name}/join",
        {
          path: { env_name: `all-${HIDDEN}` },
          body: { physical_env_name: "mine" }
        }
      ],
      [
        "PUT /allowlists/{org}/{env_name}",
        {
          path: { env_name: HIDDEN },
          body: {
            artifact_fingerprint: FINGERPRINT.mine,
            artifact_name: HIDDEN,
            description: HIDDEN
          }
        }
      ],
      [
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/system",
        {
          path: { flow_name: HIDDEN, trail_name: HIDDEN },
          body: {
            attestation_name: "about-mine",
            type_name: "decision",
            control: "mine",
            attestation_data: { is_compliant: false, reason: HIDDEN }
          }
        }
      ],
      [
        "PUT /policies/{org}/{name}",
        {
          path: { name: `also-${HIDDEN}` },
          body: {
            policy_yaml: policyYaml(
              "  attestations:\n    - type: decision\n      for_control: mine\n"
            ),
            description: HIDDEN,
            space: "platform"
          }
        }
      ],
      [
        "POST /waivers/{org}",
        {
          body: {
            policy_name: "mine",
            environment: HIDDEN,
            reason: HIDDEN,
            owner: "ada",
            expires_at: Math.floor(Date.now() / 1000) + 86_400
          }
        }
      ],
      [
        "PUT /organizations/{org}/environments_notifications",
        {
          body: {
            name: HIDDEN,
            type: "env",
            environments: ["mine", HIDDEN],
            triggers: ["ON_STARTED_ARTIFACT"],
            targets: [{ type: "EMAIL", emails: [`${HIDDEN}@example.org`] }]
          }
        }
      ]
    )
  }

  /** Makes the org, with or without what is hidden: `pat` is a member in `retail`, and `ann` an admin there. */
  const prepare = async (isHiding: boolean) => {
    assert.strictEqual((await people.make("retail")).status, 201)
    for (const [login, role] of [
      ["pat", "member"],
      ["ann", "admin"]
    ] as const) {
      await people.person(login, "none")
      await given(`user ${login}`, "retail", role)
    }
    await build("mine", "retail")
    if (isHiding) await hide()
    await build("more", "retail")
    if (isHiding) {
      await done(report(HIDDEN, [FINGERPRINT.mine, FINGERPRINT.more]))
      const moved = await people.change(`platform/${HIDDEN}`, { name: `${HIDDEN}-moved` })
      assert.strictEqual(moved.status, 200)
      await given("user hal", "platform", "member")
    }
    await done(report("mine", [FINGERPRINT.mine, FINGERPRINT.more]))
  }

  /** Runs an artifact of a flow in the environment that is read, beside its own. */
  const run = (name: TwinName) => done(report("mine", [FINGERPRINT.mine, FINGERPRINT[name]]))

  return { ...people, call, prepare, run } as const
}
