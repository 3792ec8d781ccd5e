/**
 * Lives of an org in which everything that verdicts depend on changes, and the laws about what was known when.
 *
 * The commands go through the use cases, so that they can also run concurrently.
 */
import type { CurrentActor } from "@attestry/core/Actor"
import { AllowLists } from "@attestry/core/AllowLists"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { CommonFields } from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, FlowName, PolicyName, TrailName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import { Reports } from "@attestry/core/Reports"
import { Trails } from "@attestry/core/Trails"
import type { UseCases } from "@attestry/core/UseCases"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as ReportFixture from "./ReportFixture.js"

/** The environments of a life. */
export const ENVIRONMENTS = ["prod", "test"].map((name) => EnvironmentName.make(name))
/** The flows of a life, by the names that they begin with. */
export const FLOWS = ["build", "release"].map((name) => FlowName.make(name))
/** The policies of a life. */
export const POLICIES = ["base", "strict"].map((name) => PolicyName.make(name))
/** The contents that run. */
export const CONTENTS = ["a", "b", "c"].map((digit) => Fingerprint.make(digit.repeat(64)))
const TRAILS = ["one", "two"].map((name) => TrailName.make(name))

const yaml = (artifacts: string): string =>
  `_schema: https://example.org/policy/v1\nartifacts:\n${artifacts}`

/** Texts of policies: each kind of rule, and conditions on names and tags of flows. */
export const TEXTS = [
  yaml("  provenance: {required: true}\n  trail-compliance: {required: true}\n"),
  yaml("  attestations: [{type: generic, name: scan}]\n"),
  yaml(`  provenance: {required: true, exceptions: [{if: '\${{ flow.tags.risk == "low" }}'}]}
  attestations: [{type: generic, name: review, if: '\${{ flow.name == "build" }}'}]\n`)
]

const TEMPLATES = [
  "version: 1\n",
  "version: 1\ntrail:\n  attestations: [{name: review, type: generic}]\n",
  "version: 1\ntrail:\n  artifacts: [{name: app, attestations: [{name: scan, type: generic}]}]\n"
]

/** Something that happens in a life. */
export type HistoryCommand =
  | {
      readonly _tag: "Report"
      readonly environment: number
      readonly contents: ReadonlyArray<number>
    }
  | {
      readonly _tag: "Build"
      readonly flow: number
      readonly trail: number
      readonly content: number
    }
  | {
      readonly _tag: "Attest"
      readonly flow: number
      readonly trail: number
      readonly content: number | null
      readonly isCompliant: boolean
      readonly isOverride: boolean
    }
  | {
      readonly _tag: "Begin"
      readonly flow: number
      readonly trail: number
      readonly template: number
    }
  | { readonly _tag: "Template"; readonly flow: number; readonly template: number }
  | { readonly _tag: "Tag"; readonly flow: number; readonly risk: string }
  | { readonly _tag: "Rename"; readonly flow: number }
  | { readonly _tag: "Save"; readonly policy: number; readonly text: number }
  | {
      readonly _tag: "Attach"
      readonly environment: number
      readonly policy: number
      readonly mode: "enforce" | "warn"
    }
  | { readonly _tag: "Detach"; readonly environment: number; readonly policy: number }
  | { readonly _tag: "Allow"; readonly environment: number; readonly content: number }
  | { readonly _tag: "Disallow"; readonly environment: number; readonly content: number }

const upTo = (length: number) => FastCheck.integer({ min: 0, max: length - 1 })
const flow = upTo(FLOWS.length)
const trail = upTo(TRAILS.length)
const content = upTo(CONTENTS.length)
const contentOrNone: FastCheck.Arbitrary<number | null> = FastCheck.option(content, { nil: null })
const environment = upTo(ENVIRONMENTS.length)
const policy = upTo(POLICIES.length)
const template = upTo(TEMPLATES.length)

const tagged = <const Tag extends string, F extends object>(
  _tag: Tag,
  fields: { readonly [K in keyof F]: FastCheck.Arbitrary<F[K]> }
): FastCheck.Arbitrary<{ readonly _tag: Tag } & F> =>
  // WHY: the record has exactly the fields of the object it was made from.
  FastCheck.record(fields).map((drawn) => ({ _tag, ...(drawn as F) }))

const modes: ReadonlyArray<"enforce" | "warn"> = ["enforce", "enforce", "warn"]

/** A report. */
export const report: FastCheck.Arbitrary<HistoryCommand> = tagged("Report", {
  environment,
  contents: FastCheck.uniqueArray(content, { maxLength: 3 })
})

/** A write of evidence, or a change of what evidence means. */
export const evidence: FastCheck.Arbitrary<HistoryCommand> = FastCheck.oneof(
  { weight: 4, arbitrary: tagged("Build", { flow, trail, content }) },
  {
    weight: 6,
    arbitrary: tagged("Attest", {
      flow,
      trail,
      content: contentOrNone,
      isCompliant: FastCheck.boolean(),
      isOverride: FastCheck.boolean()
    })
  },
  { weight: 1, arbitrary: tagged("Begin", { flow, trail, template }) },
  { weight: 1, arbitrary: tagged("Template", { flow, template }) },
  { weight: 2, arbitrary: tagged("Tag", { flow, risk: FastCheck.constantFrom("high", "low") }) },
  { weight: 1, arbitrary: tagged("Rename", { flow }) }
)

/** A change of what evaluates. */
const evaluation: FastCheck.Arbitrary<HistoryCommand> = FastCheck.oneof(
  tagged("Save", { policy, text: upTo(TEXTS.length) }),
  tagged("Attach", { environment, policy, mode: FastCheck.constantFrom(...modes) }),
  tagged("Detach", { environment, policy }),
  tagged("Allow", { environment, content }),
  tagged("Disallow", { environment, content })
)

/** Anything that happens. */
export const command: FastCheck.Arbitrary<HistoryCommand> = FastCheck.oneof(
  { weight: 4, arbitrary: report },
  { weight: 5, arbitrary: evidence },
  { weight: 2, arbitrary: evaluation }
)

const pick = <A>(list: ReadonlyArray<A>, at: number): A => {
  const found = list[at % list.length]
  if (found === undefined) throw new Error("the list is empty")
  return found
}

const attest = (org: Org, said: HistoryCommand & { readonly _tag: "Attest" }, flowName: FlowName) =>
  Effect.flatMap(Attestations, (attestations) =>
    attestations.report<never>(
      { org: org.name, flow: flowName, trail: pick(TRAILS, said.trail) },
      {
        type: "generic",
        isOverride: said.isOverride,
        isCompliant: said.isCompliant,
        body: Schema.decodeSync(CommonFields)({
          attestation_name: said.content === null ? "review" : "scan",
          ...(said.content === null ? {} : { artifact_fingerprint: pick(CONTENTS, said.content) })
        })
      },
      []
    )
  ).pipe(Effect.catchTag("ArtifactNotInTrail", () => Effect.void))

const build = (org: Org, said: HistoryCommand & { readonly _tag: "Build" }, flowName: FlowName) =>
  Effect.flatMap(Artifacts, (artifacts) =>
    artifacts.report(
      org.name,
      flowName,
      Schema.decodeSync(ArtifactReport)({
        fingerprint: pick(CONTENTS, said.content),
        filename: "shop",
        build_url: "b",
        commit_url: "c",
        trail_name: pick(TRAILS, said.trail),
        template_reference_name: "app"
      })
    )
  )

const happenTo = (org: Org, said: HistoryCommand, count: number) =>
  Effect.gen(function* () {
    const flows = yield* Flows
    const nameOf = (index: number) => pick(FLOWS, index)
    switch (said._tag) {
      case "Build":
        return yield* build(org, said, nameOf(said.flow))
      case "Attest":
        return yield* attest(org, said, nameOf(said.flow))
      case "Begin":
        return yield* (yield* Trails).begin(org.name, nameOf(said.flow), {
          name: pick(TRAILS, said.trail),
          template: pick(TEMPLATES, said.template)
        })
      case "Template": {
        const draft = { description: "", template: pick(TEMPLATES, said.template) }
        return yield* flows
          .get(org.name, nameOf(said.flow))
          .pipe(Effect.flatMap(({ name }) => flows.put(org.name, { name, ...draft })))
      }
      case "Tag":
        return yield* flows.tag(org.name, nameOf(said.flow), {
          set: { risk: said.risk },
          remove: []
        })
      case "Rename":
        return yield* flows
          .rename(org.name, nameOf(said.flow), FlowName.make(`${nameOf(said.flow)}-${count}`))
          .pipe(
            Effect.zipRight(
              flows.rename(
                org.name,
                FlowName.make(`${nameOf(said.flow)}-${count}`),
                nameOf(said.flow)
              )
            ),
            // WHY: another writer may have put a flow under the name while it was free.
            Effect.catchTag("FlowNameTaken", () => Effect.void)
          )
      default:
        return yield* decide(org, said, count)
    }
  })

const decide = (
  org: Org,
  said: Exclude<
    HistoryCommand,
    { readonly _tag: "Build" | "Attest" | "Begin" | "Template" | "Tag" | "Rename" }
  >,
  count: number
) =>
  Effect.gen(function* () {
    const attachments = yield* PolicyAttachments
    const allowLists = yield* AllowLists
    const environmentOf = (index: number) => pick(ENVIRONMENTS, index)
    switch (said._tag) {
      case "Report": {
        const rows = said.contents.map((index) => ({
          name: `app-${index}`,
          fingerprint: pick(CONTENTS, index)
        }))
        return yield* (yield* Reports).accept(
          org.name,
          environmentOf(said.environment),
          ReportFixture.submitted("server", `body ${count}`, rows)
        )
      }
      case "Save":
        return yield* (yield* Policies).put(org.name, {
          name: pick(POLICIES, said.policy),
          description: "",
          comment: "",
          policy_yaml: pick(TEXTS, said.text)
        })
      case "Attach":
        return yield* attachments.attach(org.name, environmentOf(said.environment), {
          names: [pick(POLICIES, said.policy)],
          mode: said.mode
        })
      case "Detach":
        return yield* attachments.detach(org.name, environmentOf(said.environment), [
          pick(POLICIES, said.policy)
        ])
      case "Allow":
        return yield* allowLists.put(org.name, environmentOf(said.environment), {
          fingerprint: pick(CONTENTS, said.content),
          name: "n",
          reason: `r${count}`
        })
      case "Disallow":
        return yield* allowLists
          .remove(org.name, environmentOf(said.environment), pick(CONTENTS, said.content))
          .pipe(Effect.catchTag("AllowListEntryNotFound", () => Effect.void))
    }
  })

/** Runs a command; `count` makes what it says different from what others said. */
export const happen = (
  org: Org,
  said: HistoryCommand,
  count: number
): Effect.Effect<void, unknown, UseCases | CurrentActor> =>
  Effect.asVoid(happenTo(org, said, count))
