/** Reports and reads for tests of trails, artifacts and attestations. */
import type { Answer, CallOptions, TestServer } from "./TestServer.js"

/** Two fingerprints. */
export const F = "f".repeat(64)
export const E = "e".repeat(64)
/** Two commits. */
export const c1 = "c1".repeat(20)
export const c2 = "c2".repeat(20)

/** The fields of a trail that tests use. */
export interface ShownTrail {
  readonly compliance_state: string
  readonly is_compliant: boolean
  readonly nothing_expected: boolean
  readonly template: { readonly content: string }
  readonly compliance_status: {
    readonly status: string
    readonly evaluated_at: number
    readonly flow_template_id: string
    readonly attestations_statuses: ReadonlyArray<Record<string, unknown>>
    readonly artifacts_statuses: {
      readonly [slot: string]: {
        readonly status: string
        readonly artifact_fingerprint: string | null
        readonly unexpected: boolean
        readonly evaluated_at?: number
        readonly attestations_statuses: ReadonlyArray<Record<string, unknown>>
      }
    }
  }
  readonly events: ReadonlyArray<Record<string, unknown>>
}

/** The fields of an attestation that tests use. */
export type ShownAttestation = Record<string, unknown> & {
  readonly attestation_id: string
  readonly attachments: ReadonlyArray<{
    readonly filename: string
    readonly fingerprint: string
    readonly size: number
  }>
}

/** Reports and reads on one flow. */
export const evidenceOf = ({ call }: Pick<TestServer, "call">, flow: string) => {
  const at = (trail: string) => ({ flow_name: flow, trail_name: trail })
  return {
    putFlow: (template: string): Promise<Answer> =>
      call("PUT /flows/{org}/template_file", {
        body: { name: flow, description: "", template_file: template }
      }),
    begin: (trail: string, more: object = {}): Promise<Answer> =>
      call("PUT /trails/{org}/{flow_name}", {
        path: { flow_name: flow },
        body: { name: trail, ...more }
      }),
    artifact: (trail: string, slot: string, fingerprint: string, git_commit: string, more = {}) =>
      call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name: flow },
        body: {
          fingerprint,
          filename: `${slot}.tar`,
          git_commit,
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1",
          trail_name: trail,
          template_reference_name: slot,
          ...more
        }
      }),
    attest: (trail: string, kind: string, body: object, options: CallOptions = {}) =>
      call(`POST /attestations/{org}/{flow_name}/trail/{trail_name}/${kind}`, {
        path: at(trail),
        body,
        ...options
      }),
    generic: (trail: string, attestation_name: string, is_compliant: boolean, more: object = {}) =>
      call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", {
        path: at(trail),
        body: { attestation_name, is_compliant, ...more }
      }),
    trail: async (trail: string): Promise<ShownTrail> => {
      const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", { path: at(trail) })
      return body as ShownTrail
    },
    named: async (trail: string, name: string): Promise<ReadonlyArray<ShownAttestation>> => {
      const { body } = await call(
        "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
        { path: { ...at(trail), attestation_name: name } }
      )
      return body as ReadonlyArray<ShownAttestation>
    }
  }
}
