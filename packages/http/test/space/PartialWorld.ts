/**
 * An org with one thing of each kind in a space that a person reads, and its like in a space that the person does not
 * read, with a word in each of its texts.
 *
 * The environment of each space also runs what the flow of the other one has reported.
 */
import { assert } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import type { Answer, CallOptions, TestServer } from "../shared/TestServer.js"

/** The word that is in every text of hidden things. */
export const CANARY = "canary"

/** The name of hidden things. */
export const HIDDEN = "canary-1"
/** A name that nothing has. */
export const MISSING = "missing-1"

/** Fingerprints that begin alike for five characters, so that their prefix is ambiguous for a whole reader. */
export const FINGERPRINT = {
  mine: `abcde${"a".repeat(59)}`,
  [HIDDEN]: `abcde${"c".repeat(59)}`,
  [MISSING]: `abcde${"d".repeat(59)}`
}

/** Commits that begin alike for five characters. */
export const COMMIT = {
  mine: `fedcb${"1".repeat(35)}`,
  [HIDDEN]: `fedcb${"2".repeat(35)}`,
  [MISSING]: `fedcb${"3".repeat(35)}`
}

/** The name of a thing of either space. */
export type Name = "mine" | typeof HIDDEN

/** A response as a text to compare; that of bytes has the payloads of the receipts in it too. */
export const text = ({ body, status }: Answer): string => {
  if (!(body instanceof Uint8Array)) return `${status} ${JSON.stringify(body)}`
  const shown = new TextDecoder().decode(body)
  const payloads = Array.from(shown.matchAll(/"payload":"([^"]*)"/g), ([, payload = ""]) =>
    Buffer.from(payload, "base64").toString("utf8")
  )
  return [status, shown, ...payloads].join(" ")
}

/** The repository of a flow; the provider gives it the same name. */
const repoOf = (name: string) => ({
  id: name,
  name,
  url: `https://git.${name}.example/${name}`,
  provider: name === "mine" ? "github" : "gitlab",
  namespace_path: [name]
})

/** Makes the org and the people of it. */
export const partialWorld = (server: TestServer) => {
  const { call } = server
  const people = fixtureOf(server)

  const done = async (answers: ReadonlyArray<Promise<Answer>>) => {
    for (const answer of answers) {
      const made = await answer
      assert.isBelow(made.status, 300, text(made))
    }
  }

  /** Reports an artifact of a flow, with its repository. */
  const artifact = (name: Name) =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: name },
      body: {
        fingerprint: FINGERPRINT[name],
        filename: name,
        git_commit: COMMIT[name],
        git_commit_info: {
          sha1: COMMIT[name],
          message: name,
          author: `${name} <${name}@x.example>`,
          branch: name,
          timestamp: 1
        },
        build_url: `https://${name}.example/${name}`,
        commit_url: `https://git.example/${name}`,
        repo_info: repoOf(name),
        trail_name: name,
        template_reference_name: name
      }
    })

  /** Everything that can be in a space, under one name. */
  const build = async (name: Name, space: string) => {
    const path = { flow_name: name, trail_name: name }
    await done([
      call("PUT /flows/{org}/template_file", { body: { name, description: name, space } })
    ])
    await done([
      call("PUT /trails/{org}/{flow_name}", {
        path,
        body: { name, description: name, repo_info: repoOf(name) }
      })
    ])
    await done([artifact(name)])
    await done([
      call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", {
        path,
        body: { attestation_name: name, is_compliant: true, description: name }
      }),
      call("PUT /policies/{org}/{name}", {
        path: { name },
        body: {
          policy_yaml: policyYaml("  provenance:\n    required: true\n"),
          description: name,
          space
        }
      }),
      call("POST /controls/{org}", { body: { identifier: name, name, space } })
    ])
    await done([
      call("PUT /environments/{org}", {
        body: { name, type: "docker", description: name, space, policies: [name] }
      })
    ])
  }

  /** Reports what the environment of a space runs. */
  const report = (env_name: Name, fingerprints: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name },
      body: {
        artifacts: fingerprints.map((fingerprint, index) => ({
          digests: { [`${env_name === "mine" ? "row" : CANARY}-${index}`]: fingerprint },
          creationTimestamp: 1
        }))
      }
    })

  /** Makes everything, and the people: `pat` is a member in one space, and `sam` a reader there. */
  const prepare = async () => {
    for (const path of ["retail", "platform"])
      assert.strictEqual((await people.make(path)).status, 201)
    await people.person("pat", "none")
    await people.person("sam", "none")
    await build("mine", "retail")
    await build(HIDDEN, "platform")
    await done([report("mine", [FINGERPRINT.mine, FINGERPRINT[HIDDEN]])])
    await done([report(HIDDEN, [FINGERPRINT.mine, FINGERPRINT[HIDDEN]])])
    await done([people.grant("user pat", "retail", "member")])
    await done([people.grant("user sam", "retail", "reader")])
  }

  const pat = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, ...people.as("pat") })

  return { ...people, call, pat, prepare, build, report, artifact }
}
