/** Histories of one control: commands over few names and links, so that many repeat. */
import type * as Control from "@attestry/core/Control"
import { ControlIdentifier, EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import * as FastCheck from "effect/FastCheck"

const links: FastCheck.Arbitrary<Control.Links> = FastCheck.constantFrom(
  {},
  { wiki: "https://wiki.example.org/ctl" },
  { "wiki.v2": "https://wiki.example.org/ctl", __proto: "http://x.example" }
)

/** A definition. */
export const definition: FastCheck.Arbitrary<Control.Definition> = FastCheck.record({
  name: FastCheck.constantFrom("Peer review", "peer review", "Scan"),
  description: FastCheck.constantFrom(null, "four eyes"),
  links
})

/** An identifier. */
export const controlIdentifier: FastCheck.Arbitrary<ControlIdentifier> = FastCheck.stringMatching(
  /^[a-zA-Z0-9][a-zA-Z0-9\-._~]{0,9}$/
).map((text) => ControlIdentifier.make(text))

/** A command about an existing control. */
export type ControlCommand =
  | { readonly do: "edit"; readonly patch: Control.ControlPatch }
  | { readonly do: "archive" }
  | { readonly do: "unarchive" }

const patch: FastCheck.Arbitrary<Control.ControlPatch> = FastCheck.record(
  {
    name: FastCheck.constantFrom("Peer review", "Scan"),
    description: FastCheck.constantFrom(null, "four eyes"),
    links
  },
  { requiredKeys: [] }
)

/** Commands in order. */
export const controlHistory: FastCheck.Arbitrary<ReadonlyArray<ControlCommand>> = FastCheck.array(
  FastCheck.oneof(
    patch.map((patch): ControlCommand => ({ do: "edit", patch })),
    FastCheck.constantFrom<ControlCommand>({ do: "archive" }, { do: "unarchive" })
  ),
  { maxLength: 30 }
)

const policyName = FastCheck.constantFrom("base", "prod", "audit", "extra").map((name) =>
  PolicyName.make(name)
)

/** Names of policies, some of them twice. */
export const policyNames: FastCheck.Arbitrary<ReadonlyArray<PolicyName>> = FastCheck.array(
  policyName,
  { maxLength: 4 }
)

/** Environments with their attached policies, each name once. */
export const consumingEnvironments = FastCheck.uniqueArray(
  FastCheck.record({
    name: FastCheck.stringMatching(/^[a-cA-C][a-cA-C0-9._-]{0,4}$/).map((name) =>
      EnvironmentName.make(name)
    ),
    policies: policyNames
  }),
  { selector: ({ name }) => name, maxLength: 12 }
)
