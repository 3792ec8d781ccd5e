/** Reports, attaches and reads for tests of verdicts. */
import type { TestServer } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"

/** The fields of a row that tests of verdicts use. */
export interface ShownRow {
  readonly name: string
  readonly fingerprint: string
  readonly compliant: boolean
  readonly environment?: string
  readonly annotation: { readonly type: string; readonly was: number; readonly now: number }
  readonly flows: ReadonlyArray<{ readonly flow_name: string }>
  readonly policy_decisions: ReadonlyArray<{
    readonly policy_name: string
    readonly policy_version: number
    readonly status: string
    readonly rule_evaluations: ReadonlyArray<{
      readonly rule: { readonly type: string; readonly definition: object }
      readonly satisfied: boolean | null
      readonly ignored: boolean
      readonly resolutions: ReadonlyArray<{ readonly type: string; readonly context: object }>
    }>
  }>
  readonly reasons_for_incompliance: ReadonlyArray<Record<string, unknown>>
}

/** The fields of a snapshot that tests of verdicts use. */
export interface ShownSnapshot {
  readonly index: number
  readonly timestamp: number
  readonly compliant: boolean
  readonly artifact_compliance_count: object
  readonly artifacts: ReadonlyArray<ShownRow>
  readonly applied_policies: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly version: number
    readonly policy_dump: object | null
    readonly failing_artifacts: ReadonlyArray<string>
  }>
}

/** The policy that requires provenance and nothing else. */
export const NEEDS_PROVENANCE = policyYaml("  provenance:\n    required: true\n")

/** A running artifact: its name, its fingerprint, and when its instances started. */
export type Running = readonly [name: string, fingerprint: string, ...times: ReadonlyArray<number>]

/** One environment of a server. */
export const policyEnvironment = ({ call }: Pick<TestServer, "call">, env_name: string) => {
  const at = { path: { env_name } }
  return {
    create: (more: object = {}) =>
      call("PUT /environments/{org}", { body: { name: env_name, type: "server", ...more } }),
    report: (...running: ReadonlyArray<Running>) =>
      call("PUT /environments/{org}/{env_name}/report/server", {
        ...at,
        body: {
          artifacts: running.flatMap(([name, fingerprint, ...times]) =>
            (times.length === 0 ? [1] : times).map((creationTimestamp) => ({
              digests: { [name]: fingerprint },
              creationTimestamp
            }))
          )
        }
      }),
    attach: (...policy_names: ReadonlyArray<string>) =>
      call("POST /environments/{org}/{env_name}/policies", { ...at, body: { policy_names } }),
    detach: (...policy_names: ReadonlyArray<string>) =>
      call("DELETE /environments/{org}/{env_name}/policies", { ...at, body: { policy_names } }),
    allow: (artifact_fingerprint: string, more: object = {}) =>
      call("PUT /allowlists/{org}/{env_name}", {
        ...at,
        body: { artifact_fingerprint, artifact_name: "n", description: "known", ...more }
      }),
    disallow: (fingerprint: string) =>
      call("DELETE /allowlists/{org}/{env_name}/{fingerprint}", {
        path: { env_name, fingerprint }
      }),
    policy: (name: string, policy_yaml: string) =>
      call("PUT /policies/{org}/{name}", { path: { name }, body: { policy_yaml } }),
    state: async () =>
      (await call("GET /environments/{org}/{env_name}", at)).body as {
        readonly state: boolean | null
        readonly policies: ReadonlyArray<string>
        readonly require_provenance: boolean
      },
    snapshot: async (snapshot_expression = "-1") => {
      const { body, status } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name, snapshot_expression }
      })
      if (status !== 200) throw new Error(`snapshot ${snapshot_expression}: ${status}`)
      return body as ShownSnapshot
    },
    /** The number of snapshots. */
    count: async () =>
      ((await call("GET /snapshots/{org}/{env_name}", at)).body as ReadonlyArray<unknown>).length
  }
}

/** The change of each row of a snapshot. */
export const annotations = ({ artifacts }: ShownSnapshot): ReadonlyArray<string> =>
  artifacts.map(({ annotation, name }) => `${name} ${annotation.type}`).sort()
