/** The contract of the graph of `ReadModels`: what records say is connected, and nothing else. */

import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { type Attestation, AttestationName } from "@attestry/core/Attestation"
import { AttestationStore } from "@attestry/core/AttestationStore"
import * as Control from "@attestry/core/Control"
import { ControlStore } from "@attestry/core/ControlStore"
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { Flow } from "@attestry/core/Flow"
import * as Graph from "@attestry/core/Graph"
import { CommitSha, ControlIdentifier, type OrgId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"
import * as Histories from "./GraphFixture.js"

const ALL = { limit: 100, reach: 100 }

const node = (type: Graph.NodeType, key: string): Graph.NodeKey => ({ type, key })
const sha = (digit: string) => CommitSha.make(digit.repeat(40))

const shown = ({ from, to, type }: Graph.FoundEdge) =>
  `${Graph.textOf(from)} ${type} ${Graph.textOf(to)}`

/** The edges at one node, newest first. */
const at = (org: OrgId, ...level: ReadonlyArray<Graph.NodeKey>) =>
  Effect.flatMap(ReadModels, (store) =>
    Effect.map(store.graphEdges(org, level, ALL), ({ edges }) => [...edges].sort(Graph.byNewest))
  )

/** An instant for each sequence number. */
const instant = (sequence: number) => Timestamp.plusSeconds(Fixture.AT, sequence)

const record = (trail: Trail, letter: string, more: Partial<Artifact> & { sequence: number }) =>
  Effect.gen(function* () {
    const plain = yield* Fixture.newArtifact(trail, more.sequence)
    const fingerprint = Histories.print(letter)
    const made: Artifact = {
      ...plain,
      fingerprint,
      created_at: instant(more.sequence),
      ...more,
      report: { ...plain.report, ...more.report, fingerprint }
    }
    yield* (yield* ArtifactStore).append(made)
    return made
  })

const attest = (trail: Trail, more: Partial<Attestation> & { sequence: number }) =>
  Effect.gen(function* () {
    const plain = yield* Fixture.newAttestation(trail, more.sequence)
    const made = { ...plain, created_at: instant(more.sequence), ...more }
    yield* (yield* AttestationStore).append(made)
    return made
  })

const REPORT = { filename: "shop.tar", build_url: "ci/1", commit_url: "git/1" }

/** Two trails with records, attestations with an override and a decision. */
const evidence = (org: Org) =>
  Effect.gen(function* () {
    const trails = yield* TrailStore
    const flow = yield* Fixture.flow(org, "shop")
    const first = yield* Fixture.newTrail(flow, "run-1")
    const info = { sha1: sha("1"), branch: "main" }
    const one: Trail = { ...first, git_commit_info: info }
    yield* trails.insert(one)
    yield* trails.linkCommit({ org: org.id, trail: one.id, sha: sha("1"), branch: "main" })
    const two = yield* Fixture.trail(flow, "run-2")
    // A commit that an attestation alone reports is none that the trail builds.
    yield* trails.linkCommit({ org: org.id, trail: two.id, sha: sha("3"), branch: "" })
    const letter = (git_commit: string, fingerprint = Histories.print("a")) => ({
      ...REPORT,
      fingerprint,
      git_commit: CommitSha.make(git_commit)
    })
    yield* record(one, "a", { sequence: 1, report: letter(sha("1")) })
    yield* record(one, "a", { sequence: 2, report: letter(sha("2")) })
    yield* record(two, "a", { sequence: 3, report: letter(sha("2")) })
    yield* record(two, "b", { sequence: 4 })
    const control = Control.create(
      org.id,
      {
        identifier: ControlIdentifier.make("C-1"),
        name: "Reviewed",
        description: null,
        links: {}
      },
      { by: "anna", at: Fixture.AT }
    )
    yield* (yield* ControlStore).insert(control)
    const scan = AttestationName.make("scan")
    const about = { name: scan, fingerprint: Histories.print("a") }
    const plain = yield* attest(one, { sequence: 5, ...about })
    const other = yield* attest(one, { sequence: 6, name: scan })
    const override = yield* attest(one, {
      sequence: 7,
      isOverride: true,
      isCompliant: false,
      ...about
    })
    const decision = yield* attest(two, {
      sequence: 8,
      type: "decision",
      body: { control: "C-1" }
    })
    const unknown = yield* attest(two, {
      sequence: 9,
      type: "decision",
      body: { control: "C-2" }
    })
    return { flow, one, two, plain, other, override, decision, unknown }
  })

/** A policy that asks about controls, one of which does not exist. */
const rules = (org: Org) =>
  Effect.gen(function* () {
    const policy = yield* Fixture.newPolicy(org, "prod-rules")
    const version = Fixture.policyVersion(policy)
    const rule = (for_control: string | null) => ({
      if_condition: null,
      name: "*",
      type: "decision",
      must_be_compliant: true,
      for_control
    })
    const attestations = [rule("C-1"), rule("C-1"), rule("C-2"), rule(null)]
    const dump = { ...version.dump, artifacts: { ...version.dump.artifacts, attestations } }
    yield* (yield* PolicyStore).insert(policy, { ...version, dump })
    return policy
  })

const append = (environment: Environment, flow: Flow, runs: Histories.Runs) =>
  Effect.flatMap(SnapshotStore, (store) =>
    Effect.forEach(Histories.drafts(flow, runs), (draft) => store.append(ref(environment), draft))
  )

const RUNS: ReadonlyArray<Histories.Run> = ["a", "b", "c"].flatMap((letter) =>
  ["app", "web"].map((name) => ({ name, fingerprint: Histories.print(letter) }))
)

const sorted = (edges: ReadonlyArray<Graph.FoundEdge>) => [...edges].sort(Graph.byNewest)

/** States the contract of `ReadModels`. */
export const graphReadsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ReadModels, graph (${name})`, ports, options, (it) => {
    it.effect("connects records, commits, attestations, flows and controls, both ways", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const { decision, flow, one, other, override, plain, two, unknown } = yield* evidence(org)
        const a = `artifact:${Histories.print("a")}`
        const [first, second] = [`trail:${one.id}`, `trail:${two.id}`]
        const shop = `flow:${flow.id}`
        const [scan, again] = [`attestation:${plain.id}`, `attestation:${override.id}`]
        const of = [`${first} of ${shop}`, `${second} of ${shop}`]
        const expected: ReadonlyArray<readonly [Graph.NodeKey, ReadonlyArray<string>]> = [
          [
            node("artifact", Histories.print("a")),
            [
              `${again} about ${a}`,
              `${scan} about ${a}`,
              `${a} recorded_in ${second}`,
              `${a} recorded_in ${first}`
            ]
          ],
          [
            node("trail", one.id),
            [
              `attestation:${other.id} about ${first}`,
              `${first} builds commit:${sha("2")}`,
              `${a} recorded_in ${first}`,
              `${first} builds commit:${sha("1")}`,
              of[0] ?? ""
            ]
          ],
          [
            node("commit", sha("2")),
            [`${second} builds commit:${sha("2")}`, `${first} builds commit:${sha("2")}`]
          ],
          [node("commit", sha("1")), [`${first} builds commit:${sha("1")}`]],
          [node("commit", sha("3")), []],
          [node("flow", flow.id), [...of].sort()],
          [node("attestation", plain.id), [`${again} overrides ${scan}`, `${scan} about ${a}`]],
          [node("attestation", override.id), [`${again} about ${a}`, `${again} overrides ${scan}`]],
          [node("attestation", other.id), [`attestation:${other.id} about ${first}`]],
          [node("attestation", unknown.id), [`attestation:${unknown.id} about ${second}`]],
          [node("control", "C-1"), [`attestation:${decision.id} decides control:C-1`]],
          [node("control", "C-2"), []]
        ]
        for (const [asked, edges] of expected)
          deepStrictEqual((yield* at(org.id, asked)).map(shown), edges)
        const whole = yield* at(org.id, ...expected.map(([asked]) => asked))
        deepStrictEqual(
          whole.map(shown).sort(),
          [...new Set(expected.flatMap(([, edges]) => edges))].sort()
        )
        deepStrictEqual(yield* at((yield* Fixture.org).id, ...expected.map(([one_]) => one_)), [])
      })
    )

    it.effect("connects environments with policies, and policies with controls", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        yield* evidence(org)
        const policy = yield* rules(org)
        const store = yield* EnvironmentStore
        const plain = yield* Fixture.newEnvironment(org, "prod")
        const prod = { ...plain, policies: [policy.id] }
        yield* store.insert(prod)
        const gone = { ...(yield* Fixture.newEnvironment(org, "gone")), policies: [policy.id] }
        yield* store.insert(gone)
        yield* store.rename(archive(gone, Fixture.LATER), gone.name)
        const evaluated = `environment:${prod.id} judged_by policy:${policy.id}`
        const asks = `policy:${policy.id} asks_about control:C-1`
        const found = yield* at(org.id, node("policy", policy.id))
        deepStrictEqual(found.map(shown).sort(), [evaluated, asks].sort())
        deepStrictEqual(
          found
            .filter(({ type }) => type === "judged_by")
            .map(({ since, until }) => [since, until]),
          [[prod.last_modified_at, null]]
        )
        deepStrictEqual((yield* at(org.id, node("environment", prod.id))).map(shown), [evaluated])
        deepStrictEqual(yield* at(org.id, node("environment", gone.id)), [])
        const named = yield* at(org.id, node("control", "C-1"))
        deepStrictEqual(named.map(shown).includes(asks), true)
      })
    )

    it.effect.prop(
      "connects artifacts with where they ran and with what they replaced",
      { steps: FastCheck.array(FastCheck.subarray([...RUNS]), { minLength: 1, maxLength: 8 }) },
      ({ steps }) =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          const flow = yield* Fixture.flow(org, "shop")
          const trail = yield* Fixture.trail(flow)
          for (const [sequence, letter] of ["a", "b", "c"].entries())
            yield* record(trail, letter, { sequence: sequence + 1, slot: Histories.SLOT })
          const prod = yield* Fixture.environment(org, "prod")
          yield* append(prod, flow, steps)
          const old = yield* Fixture.environment(org, "old")
          yield* append(old, flow, steps)
          yield* (yield* EnvironmentStore).rename(archive(old, Fixture.LATER), old.name)
          const expected = [...Histories.ranIn(prod.id, steps), ...Histories.replaced(steps)]
          for (const letter of ["a", "b", "c"]) {
            const asked = node("artifact", Histories.print(letter))
            const own = (yield* at(org.id, asked)).filter(
              ({ type }) => type === "ran_in" || type === "replaced"
            )
            const touching = expected.filter(({ from, to }) =>
              [from, to].some((end) => end.key === asked.key)
            )
            deepStrictEqual(own, sorted(touching))
          }
          deepStrictEqual(
            yield* at(org.id, node("environment", prod.id)),
            sorted(Histories.ranIn(prod.id, steps))
          )
          deepStrictEqual(yield* at(org.id, node("environment", old.id)), [])
        }),
      { timeout: 600_000, fastCheck: { numRuns: 10, endOnFailure: true } }
    )

    it.effect("gives the newest edges of each node and type, and counts the others", () =>
      Effect.gen(function* () {
        const store = yield* ReadModels
        const org = yield* Fixture.org
        const flow = yield* Fixture.flow(org, "shop")
        const trail = yield* Fixture.trail(flow)
        for (const [sequence, letter] of ["a", "b", "c", "d"].entries())
          yield* record(trail, letter, { sequence: sequence + 1 })
        const level = [node("trail", trail.id)]
        const { edges, degrees } = yield* store.graphEdges(org.id, level, { limit: 2, reach: 100 })
        const a = (letter: string) =>
          `artifact:${Histories.print(letter)} recorded_in trail:${trail.id}`
        deepStrictEqual(sorted(edges).map(shown), [
          a("d"),
          a("c"),
          `trail:${trail.id} of flow:${flow.id}`
        ])
        const counts = degrees.map(({ count, type }) => `${type} ${count}`)
        deepStrictEqual(counts.sort(), ["of 1", "recorded_in 4"])
        deepStrictEqual(yield* store.graphEdges(org.id, [], ALL), { edges: [], degrees: [] })
      })
    )

    it.effect("describes nodes by the names that they have", () =>
      Effect.gen(function* () {
        const store = yield* ReadModels
        const org = yield* Fixture.org
        const { flow, one, override } = yield* evidence(org)
        const policy = yield* rules(org)
        const plain = yield* Fixture.newEnvironment(org, "prod")
        const prod: Environment = { ...plain, verdict: "Compliant" }
        yield* (yield* EnvironmentStore).insert(prod)
        yield* append(prod, flow, [[{ name: "unknown", fingerprint: Histories.print("c") }]])
        const nothing = { flow: null, trail: null, compliant: null }
        const place = { flow: flow.name, trail: one.name }
        const expected: ReadonlyArray<Graph.NodeDescription> = [
          { node: node("artifact", Histories.print("a")), label: "shop.tar", ...nothing },
          { node: node("artifact", Histories.print("c")), label: "unknown", ...nothing },
          { node: node("artifact", Histories.print("e")), label: "e".repeat(12), ...nothing },
          { node: node("commit", sha("1")), label: "1111111", ...nothing },
          { node: node("trail", one.id), label: "run-1", ...nothing, ...place },
          { node: node("flow", flow.id), label: "shop", ...nothing, flow: flow.name },
          {
            node: node("attestation", override.id),
            label: "scan",
            ...place,
            compliant: false
          },
          { node: node("environment", prod.id), label: "prod", ...nothing, compliant: true },
          { node: node("policy", policy.id), label: "prod-rules", ...nothing },
          { node: node("control", "C-1"), label: "Reviewed", ...nothing }
        ]
        const unknown = [node("trail", "none"), node("control", "none"), node("policy", "none")]
        const asked = [...expected.map((one_) => one_.node), ...unknown]
        const byNode = (left: Graph.NodeDescription, right: Graph.NodeDescription) =>
          Graph.textOf(left.node) < Graph.textOf(right.node) ? -1 : 1
        deepStrictEqual(
          [...(yield* store.graphNodes(org.id, asked))].sort(byNode),
          [...expected].sort(byNode)
        )
        deepStrictEqual(yield* store.graphNodes(org.id, []), [])
      })
    )
  })
