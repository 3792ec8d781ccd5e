/** Whatever can change a verdict, each as one request of a user, in an org with two flows and three environments. */
import type { CurrentActor } from "@attestry/core/Actor"
import { AllowLists } from "@attestry/core/AllowLists"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { CommonFields } from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { Environments } from "@attestry/core/Environments"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, FlowName, PolicyName, TrailName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import type { RunningRow } from "@attestry/core/RunningRow"
import { Trails } from "@attestry/core/Trails"
import * as ReportFixture from "@attestry/core/testing/ReportFixture"
import type { UseCases } from "@attestry/core/UseCases"
import { Effect, Schema } from "effect"

/** A request of a user. */
export type Request = (org: Org) => Effect.Effect<unknown, unknown, UseCases | Ports | CurrentActor>

/** What artifacts are called, in reports and in flows. */
export const ARTIFACT = "shop"

/** The logical environment. */
export const GROUP = EnvironmentName.make("group")

/** What runs and is built. */
export type Content = "a" | "b"
/** Flows, as they are called at first. */
export type FlowKey = "build" | "deploy"
/** Physical environments. */
export type EnvironmentKey = "first" | "second"
/** Policies: each reads another part of what can change. */
export type PolicyKey = "tags" | "name" | "evidence" | "trails"

/** The fingerprint of a content. */
export const fingerprint = (content: Content) => Fingerprint.make(content.repeat(64))

const yaml = (artifacts: string) =>
  `_schema: https://example.org/policy/v1\nartifacts:\n${artifacts}`

/** Nothing is ever attested under this name: where the rule applies, it is not met. */
const SIGNED = "  attestations: [{type: generic, name: signed"

/** The texts of policies; `none` reads nothing that changes here. */
const TEXTS = {
  none: yaml("  provenance: {required: true}\n"),
  tags: yaml(`${SIGNED}, if: '\${{ flow.tags.risk == "high" }}'}]\n`),
  name: yaml(`${SIGNED}, if: '\${{ not flow.name in ["build", "deploy"] }}'}]\n`),
  evidence: yaml("  attestations: [{type: generic, name: tests}]\n"),
  trails: yaml("  trail-compliance: {required: true}\n")
}

const TEMPLATES = {
  none: "version: 1\n",
  strict:
    "version: 1\ntrail:\n  artifacts:\n  - name: a\n    attestations:\n    - {name: signed, type: generic}\n"
}

const flowName = (flow: string) => FlowName.make(flow)
const TRAIL = TrailName.make("run")

/** Sets the tag that the policy `tags` reads. */
export const tag = (org: Org, flow: FlowKey, risk: "low" | "high") =>
  Effect.flatMap(Flows, (flows) =>
    flows.tag(org.name, flowName(flow), { set: { risk }, remove: [] })
  )

/** Gives a flow another name; its first name goes on leading to it. */
export const rename = (org: Org, flow: FlowKey, to: string) =>
  Effect.flatMap(Flows, (flows) => flows.rename(org.name, flowName(flow), flowName(to)))

/** Archives a flow, which gives it another name as well. */
export const archiveFlow = (org: Org, flow: FlowKey) =>
  Effect.flatMap(Flows, (flows) => flows.archive(org.name, flowName(flow)))

/** Replaces the template of a flow, and begins its trail again, which evaluates it. */
export const template = (org: Org, flow: FlowKey, text: keyof typeof TEMPLATES) =>
  Effect.gen(function* () {
    const [flows, trails] = yield* Effect.all([Flows, Trails])
    const [description, written] = ["", TEMPLATES[text]]
    yield* flows.put(org.name, { name: flowName(flow), description, template: written })
    return yield* trails.begin(org.name, flowName(flow), { name: TRAIL })
  })

/** Reports that a flow has built a content. */
export const build = (org: Org, flow: FlowKey, content: Content) =>
  Effect.flatMap(Artifacts, (artifacts) =>
    artifacts.report(
      org.name,
      flowName(flow),
      Schema.decodeSync(ArtifactReport)({
        fingerprint: fingerprint(content),
        filename: ARTIFACT,
        build_url: "ci/1",
        commit_url: "git/1",
        trail_name: TRAIL,
        template_reference_name: content
      })
    )
  )

/** Attests to a content what the policy `evidence` asks for. */
export const attest = (org: Org, flow: FlowKey, content: Content, isCompliant: boolean) =>
  Effect.flatMap(Attestations, (attestations) =>
    attestations.report<never>(
      { org: org.name, flow: flowName(flow), trail: TRAIL },
      {
        type: "generic",
        isOverride: false,
        isCompliant,
        body: Schema.decodeSync(CommonFields)({
          attestation_name: "tests",
          artifact_fingerprint: fingerprint(content)
        })
      },
      []
    )
  )

/** Every policy. */
export const POLICIES: ReadonlyArray<PolicyKey> = ["tags", "name", "evidence", "trails"]

/** Saves a policy with a text of its own or of another. */
export const save = (org: Org, policy: PolicyKey, text: keyof typeof TEXTS) =>
  Effect.flatMap(Policies, (policies) =>
    policies.put(org.name, {
      name: PolicyName.make(policy),
      description: "",
      comment: "",
      policy_yaml: TEXTS[text]
    })
  )

/** Attaches a policy to an environment. */
export const attach = (org: Org, environment: string, policy: PolicyKey) =>
  Effect.flatMap(PolicyAttachments, (attachments) =>
    attachments.attach(org.name, EnvironmentName.make(environment), [policy])
  )

/** Attaches every policy to an environment. */
export const attachAll = (org: Org, environment: string) =>
  Effect.forEach(POLICIES, (policy) => attach(org, environment, policy))

/** Detaches it. */
export const detach = (org: Org, environment: string, policy: PolicyKey) =>
  Effect.flatMap(PolicyAttachments, (attachments) =>
    attachments.detach(org.name, EnvironmentName.make(environment), [policy])
  )

/** Says which policies an environment has. */
export const policies = (org: Org, environment: string, names: ReadonlyArray<PolicyKey>) =>
  Effect.flatMap(Environments, (environments) =>
    environments.patch(org.name, EnvironmentName.make(environment), { policies: names })
  )

/** Adds a physical environment to the logical one. */
export const join = (org: Org, environment: EnvironmentKey) =>
  Effect.flatMap(Environments, (environments) => environments.join(org.name, GROUP, environment))

/** Says which physical environments the logical one has. */
export const members = (org: Org, included_environments: ReadonlyArray<EnvironmentKey>) =>
  Effect.flatMap(Environments, (environments) =>
    environments.patch(org.name, GROUP, { included_environments })
  )

/** Turns on, or off, that everything that runs must have provenance. */
export const requireProvenance = (org: Org, environment: string, isRequired: boolean) =>
  Effect.flatMap(Environments, (environments) =>
    environments.put(org.name, {
      name: EnvironmentName.make(environment),
      type: environment === GROUP ? "logical" : "docker",
      require_provenance: isRequired
    })
  )

/** Allows a content in an environment. */
export const allow = (org: Org, environment: EnvironmentKey, content: Content) =>
  Effect.flatMap(AllowLists, (lists) =>
    lists.put(org.name, EnvironmentName.make(environment), {
      fingerprint: fingerprint(content),
      name: ARTIFACT,
      reason: "known"
    })
  )

/** Takes that back. */
export const disallow = (org: Org, environment: EnvironmentKey, content: Content) =>
  Effect.flatMap(AllowLists, (lists) =>
    lists.remove(org.name, EnvironmentName.make(environment), fingerprint(content))
  ).pipe(Effect.catchTag("AllowListEntryNotFound", () => Effect.void))

const rowOf = (content: Content): RunningRow => ({
  name: ARTIFACT,
  fingerprint: fingerprint(content),
  creationTimestamp: [1_790_000_000],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

/** Reports what runs in an environment. */
export const report = (org: Org, environment: EnvironmentKey, contents: ReadonlyArray<Content>) =>
  Effect.flatMap(Reports, (reports) =>
    reports.accept(
      org.name,
      EnvironmentName.make(environment),
      ReportFixture.submitted("docker", `body ${contents.join()}`, contents.map(rowOf))
    )
  )

/** Flows that know both contents, policies that are attached to nothing, environments that run content `a`. */
export const prepare = (org: Org) =>
  Effect.gen(function* () {
    const environments = yield* Environments
    for (const flow of ["build", "deploy"] as const) {
      yield* build(org, flow, "a")
      yield* build(org, flow, "b")
      yield* attest(org, flow, "a", true)
      yield* tag(org, flow, "low")
    }
    yield* Effect.forEach(POLICIES, (policy) => save(org, policy, policy))
    for (const name of ["first", "second"].map((key) => EnvironmentName.make(key)))
      yield* environments.put(org.name, { name, type: "docker" })
    yield* environments.put(org.name, {
      name: GROUP,
      type: "logical",
      included_environments: ["second"]
    })
    yield* report(org, "first", ["a"])
    yield* report(org, "second", ["a"])
  })
