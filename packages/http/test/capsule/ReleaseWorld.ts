/** Releases with evidence, and the question about them on the wire and in capsules. */
import type * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import { assert } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import type { TestServer } from "../shared/TestServer.js"

export const print = (letter: string): string => letter.repeat(64)
const COMMIT = "c1".repeat(20)

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: generic}]
  artifacts:
    - name: app
      attestations: [{name: tests, type: generic}, {name: scan, type: generic}]
`

const policyOf = (names: ReadonlyArray<string>) => `_schema: https://example.org/policy/v1
artifacts:
  provenance: {required: true}
  attestations: [${names.map((name) => `{type: generic, name: ${name}}`).join(", ")}]
`

/** A release as the operation answers it. */
export interface ShownRelease {
  readonly environment: string
  readonly snapshot_index: number
  readonly artifact_name: string
  readonly fingerprint: string
  readonly deployed_at: number
  readonly verdict: string
  readonly results: ReadonlyArray<{
    readonly requirement: string
    readonly state: string
    readonly waivers: ReadonlyArray<number>
    readonly attestations: ReadonlyArray<{
      readonly attestation_id: string
      readonly created_by: string
      readonly created_at: number
    }>
  }>
}

/** The table as the operation answers it. */
export interface ShownTable {
  readonly totals: object
  readonly requirements: ReadonlyArray<object>
  readonly releases: ReadonlyArray<ShownRelease>
}

/** A question about releases, as the body of a capsule has it. */
export interface Question {
  readonly environments?: ReadonlyArray<string>
  readonly flow?: string
  readonly policy?: string
  readonly from?: string
  readonly to?: string
}

/** A line whose facts are not shown. */
export const withoutFacts = (
  line: CapsuleEntry.CapsuleEntry,
  digestsOf: (line: CapsuleEntry.CapsuleEntry) => ReadonlyArray<string>
): CapsuleEntry.CapsuleEntry => ({ ...line, shown: [], inside: [], withheld: digestsOf(line) })

/** Writes and reads of one world, whose names have an ending of their own. */
export const make = ({ call }: Pick<TestServer, "call">, ending: string) => {
  const [flow, gate] = [`shop${ending}`, `gate${ending}`]
  const envOf = (at: number) => `env${ending}-${at}`
  const evidence = evidenceOf({ call }, flow)
  const put = async (operation: string, path: object, body: unknown) => {
    const answer = await call(operation, { path: { ...path }, body })
    assert.isBelow(answer.status, 300, `${operation}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const putPolicy = (names: ReadonlyArray<string>) =>
    put("PUT /policies/{org}/{name}", { name: gate }, { policy_yaml: policyOf(names) })
  const queryOf = ({ environments = [], flow: of, from, policy, to }: Question) =>
    `?${new URLSearchParams([
      ...environments.map((name) => ["environment", name]),
      ...Object.entries({ flow: of, from, policy, to }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]]
      ),
      ["per_page", "100"]
    ])}`
  return {
    flow,
    gate,
    envOf,
    evidence,
    put,
    putPolicy,
    fill: async (letters: ReadonlyArray<string>, environments: number) => {
      await evidence.putFlow(TEMPLATE)
      await putPolicy(["scan"])
      for (let at = 0; at < environments; at++)
        await put("PUT /environments/{org}", {}, { name: envOf(at), type: "server" })
      for (const letter of letters)
        await evidence.artifact(`t-${letter}`, "app", print(letter), COMMIT)
    },
    report: (environment: number, letters: ReadonlyArray<string>) =>
      put(
        "PUT /environments/{org}/{env_name}/report/server",
        { env_name: envOf(environment) },
        {
          artifacts: letters.map((letter) => ({
            digests: { [`app-${letter}`]: print(letter) },
            creationTimestamp: 7
          }))
        }
      ),
    /** The table as the operation answers it. */
    table: async (question: Question): Promise<ShownTable> => {
      const { body, status } = await call("GET /release-evidence/{org}", {
        query: queryOf(question)
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as ShownTable
    }
  }
}
