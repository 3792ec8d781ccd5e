/** The `attestry` commands of the first steps, and the commands that set up a terminal. */
import * as ProductName from "../shared/ProductName.js"
import { quote } from "../shell/ShellWord.js"
import type { StepName } from "./Steps.js"

/** The policy that the first steps suggest. */
export const KNOWN_BUILDS = {
  name: "known-builds",
  policy_yaml: `_schema: https://attestry.example/schemas/policy/v1
artifacts:
  provenance:
    required: true
`
} as const

/** Example names for records that do not exist yet. */
export const EXAMPLE = {
  flow: "shop",
  trail: "build-1",
  environment: "production",
  kind: "server",
  /** A file or folder that was built. */
  path: "dist"
} as const

/** The values that the commands contain. */
export interface Place {
  readonly origin: string
  readonly org: string
  readonly flow: string
  readonly environment: string
  readonly kind: string
}

/** The commands that set up a terminal; they do not contain the API key. */
export const preparing = ({
  origin,
  org
}: Pick<Place, "origin" | "org">): ReadonlyArray<string> => [
  "npm install --global @attestry/cli",
  `export ATTESTRY_URL=${quote(origin)} ATTESTRY_ORG=${quote(org)} ATTESTRY_API_KEY=…`
]

/** The kinds whose command reports from the runtime, so that nothing is made up. */
const REPORTERS = new Map([
  ["docker", (environment: string) => `attestry report docker ${quote(environment)}`],
  ["K8S", (environment: string) => `attestry report kubernetes ${quote(environment)}`],
  [
    "server",
    (environment: string) =>
      `attestry report paths ${quote(environment)} --path app=${EXAMPLE.path}`
  ]
])

/** The commands of a step; empty for a report of a kind whose command needs more than a name. */
export const commandsOf = (step: StepName, place: Place): ReadonlyArray<string> => {
  const [flow, environment] = [quote(place.flow), quote(place.environment)]
  switch (step) {
    case "flow":
      return [`attestry put flow ${flow}`]
    case "evidence":
      return [
        `attestry begin ${EXAMPLE.trail} --flow ${flow}`,
        `attestry attest artifact ${EXAMPLE.path} --slot app --flow ${flow} --trail ${EXAMPLE.trail}`
      ]
    case "environment":
      return [
        `attestry put environment ${environment} --kind ${quote(ProductName.wordOf(place.kind))}`
      ]
    case "report": {
      const reporter = REPORTERS.get(place.kind)
      return reporter === undefined ? [] : [reporter(place.environment)]
    }
    case "policy":
      return [
        `attestry put policy ${KNOWN_BUILDS.name} - <<'END'\n${KNOWN_BUILDS.policy_yaml}END`,
        `attestry attach ${KNOWN_BUILDS.name} ${environment}`
      ]
  }
}
