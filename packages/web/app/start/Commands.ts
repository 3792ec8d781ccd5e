/** The requests of the first steps as commands. They name the org and the address, and a variable for the key. */
import { callOf } from "../shared/Api.js"
import { curlLine } from "../shell/CurlLine.js"
import type { StepName } from "./Steps.js"

/** The policy that the first steps offer. */
export const KNOWN_BUILDS = {
  name: "known-builds",
  policy_yaml: `_schema: https://attestry.example/schemas/policy/v1
artifacts:
  provenance:
    required: true
`
} as const

/** The names that commands have while there are none yet. */
export const EXAMPLE = {
  flow: "shop",
  trail: "build-1",
  environment: "production",
  kind: "docker",
  filename: "shop:1.0",
  fingerprint: "df93dc625b0bec64dedd2344a56ebeafa87b1d75c479702a4da721d7b20f52ea"
} as const

/** What commands are made from. */
export interface Place {
  readonly origin: string
  readonly org: string
  readonly flow: string
  readonly environment: string
  readonly kind: string
  readonly filename: string
  readonly fingerprint: string
}

/** Kinds whose reports are lists of digests and nothing more. */
const PLAIN_KINDS = ["docker", "server"]

const reportOf = ({ origin, org, environment, kind, filename, fingerprint }: Place): string =>
  curlLine(
    {
      method: "PUT",
      path: `/api/v2/environments/${encodeURIComponent(org)}/${encodeURIComponent(environment)}/report/${kind}`
    },
    origin,
    { artifacts: [{ digests: { [filename]: fingerprint }, creationTimestamp: 1_700_000_000 }] }
  )

/** The commands of a step; none where the body depends on a kind that has more to report. */
export const commandsOf = (step: StepName, place: Place): ReadonlyArray<string> => {
  const { origin, org, flow, environment, kind, filename, fingerprint } = place
  switch (step) {
    case "flow":
      return [curlLine(callOf("F1", { org }), origin, { name: flow, description: "" })]
    case "evidence":
      return [
        curlLine(callOf("A1", { org, flow_name: flow }), origin, {
          trail_name: EXAMPLE.trail,
          template_reference_name: "app",
          filename,
          fingerprint,
          git_commit: "0".repeat(39).concat("1"),
          commit_url: "https://git.example.org/shop/commit/1",
          build_url: "https://ci.example.org/shop/1"
        })
      ]
    case "environment":
      return [curlLine(callOf("E1", { org }), origin, { name: environment, type: kind })]
    case "report":
      return PLAIN_KINDS.includes(kind) ? [reportOf(place)] : []
    case "policy":
      return [
        curlLine(callOf("O1", { org, name: KNOWN_BUILDS.name }), origin, {
          policy_yaml: KNOWN_BUILDS.policy_yaml
        }),
        curlLine(callOf("E8", { org, env_name: environment }), origin, {
          policy_names: [KNOWN_BUILDS.name]
        })
      ]
  }
}
