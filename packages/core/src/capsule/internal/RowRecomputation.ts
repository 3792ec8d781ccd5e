/**
 * Decides the rows of recorded snapshots again, each by the evidence, policies and waivers that were recorded before
 * its snapshot. Pure.
 */
import * as Either from "effect/Either"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import * as EvaluationTimeline from "../../history/EvaluationTimeline.js"
import * as FactTimeline from "../../history/FactTimeline.js"
import * as FingerprintHistory from "../../history/FingerprintHistory.js"
import { isValidFor } from "../../history/ValidityPeriod.js"
import type * as Moment from "../../policy/Moment.js"
import * as PolicyDocument from "../../policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import * as ReleaseJudgement from "../../release-evidence/internal/ReleaseJudgement.js"
import type { Result } from "../../release-evidence/RequirementResults.js"
import type { FlowId } from "../../shared/Identifier.js"
import * as Timestamp from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import * as RowDecision from "../../snapshot/RowDecision.js"
import * as WaiverMatch from "../../waiver/WaiverMatch.js"
import type { CapsuleHistory, CreatedSnapshot } from "./CapsuleHistory.js"

/** The policies of a snapshot, compiled. */
export interface SnapshotPolicies {
  readonly compiled: PolicyEvaluation.CompiledPolicies
  /** The name of the first policy whose text is not known; undefined if all are. */
  readonly unknown: string | undefined
  /** Whether a rule reads facts of evidence, which are in its body. */
  readonly readsFacts: boolean
}

/** The row that is decided. */
export interface RecomputedRow {
  readonly name: string
  readonly fingerprint: string
  /** The environment in which it runs, if that is a member of the one that decides. */
  readonly runsIn?: string
}

/** A release: a row that began to run in a snapshot of an environment. */
export interface RecomputedRelease {
  readonly environment: string
  readonly snapshot: CreatedSnapshot
  readonly row: {
    readonly name: string
    readonly fingerprint: Fingerprint
    readonly flows: ReadonlyArray<{ readonly flow_id: FlowId }>
  }
}

/** The decisions and the verdict of a row. */
export interface Recomputed {
  readonly decisions: ReadonlyArray<RowDecision.RowDecision>
  readonly verdict: Verdict
}

/** The instant and position by which a snapshot was evaluated. */
const boundOf = ({ index, isDecay, position, timestamp }: CreatedSnapshot) =>
  EvaluationTimeline.boundOf({ index, position, at: timestamp, is_decay: isDecay })

/** After all entries. */
const END = { position: Number.MAX_SAFE_INTEGER, at: Timestamp.fromMicros(0) }

/** Decides rows again, by what a capsule describes. */
export class RowRecomputation {
  readonly #evidence: FingerprintHistory.EvidenceHistory
  readonly #trails: ReadonlyMap<string, FingerprintHistory.TrailHistory>
  readonly #historyOf: (fingerprint: string) => FingerprintHistory.FingerprintHistory
  readonly #templateOf: FactTimeline.TemplateOf
  readonly #timelines = new Map<string, FactTimeline.FactTimeline>()
  readonly #policies = new Map<string, SnapshotPolicies>()

  constructor(readonly history: CapsuleHistory) {
    this.#evidence = history.evidence()
    this.#trails = new Map(this.#evidence.trails.map((trail) => [trail.id, trail]))
    this.#historyOf = FingerprintHistory.group(this.#evidence)
    this.#templateOf = FactTimeline.templatesOf(this.#evidence)
  }

  /** The flow of a trail; undefined for an unknown trail. */
  readonly flowOf = (trail: string): string | undefined => this.#trails.get(trail)?.flow_id

  /** The evidence about an artifact over time. */
  timelineOf(fingerprint: string): FactTimeline.FactTimeline {
    const known =
      this.#timelines.get(fingerprint) ??
      FactTimeline.make(this.#historyOf(fingerprint), this.#templateOf)
    this.#timelines.set(fingerprint, known)
    return known
  }

  /** The status of a trail after its last entry; undefined for an unknown trail. */
  statusOf(trail: string): string | undefined {
    const found = this.#trails.get(trail)
    if (found === undefined) return undefined
    const alone = { ...this.#evidence, trails: [found] }
    const visible = FactTimeline.visibleTrails(alone, this.#templateOf)
    return visible(found, END).evaluation().trail.status
  }

  /** The policies of a snapshot. */
  policiesOf({ policies }: Pick<CreatedSnapshot, "policies">): SnapshotPolicies {
    // WHY without the artifacts that fail: most snapshots have the same policies.
    const key = JSON.stringify(policies.map(({ failing: _, ...policy }) => policy))
    const made = this.#policies.get(key) ?? this.#compile(policies)
    this.#policies.set(key, made)
    return made
  }

  #compile(policies: CreatedSnapshot["policies"]): SnapshotPolicies {
    const versions: Array<PolicyEvaluation.PolicyVersion> = []
    let [unknown, readsFacts]: [string | undefined, boolean] = [undefined, false]
    for (const { id, mode, name, version } of policies) {
      const text = version === 0 ? undefined : this.history.policy(id, version)?.policy_yaml
      if (version > 0 && text === undefined) unknown ??= `${name} v${version}`
      const parsed = text === undefined ? undefined : PolicyDocument.parse(text)
      const document =
        parsed === undefined ? PolicyEvaluation.REQUIRE_PROVENANCE.document : Either.merge(parsed)
      if (parsed !== undefined && Either.isRight(parsed))
        readsFacts ||= PolicyDocument.readParts(parsed.right).includes("evidence.facts")
      versions.push({ id, name, version, document, ...(mode === undefined ? {} : { mode }) })
    }
    return { compiled: PolicyEvaluation.compile(versions), unknown, readsFacts }
  }

  /** What was required of a release, and how it was met, as the evaluation of its snapshot saw it. */
  resultsOf(
    judgement: ReleaseJudgement.Judgement,
    { environment, row, snapshot }: RecomputedRelease
  ): ReadonlyArray<Result> {
    const { fingerprint, name } = row
    const bound = boundOf(snapshot)
    return ReleaseJudgement.resultsOf(judgement, {
      artifact: { name, fingerprint },
      view: ReleaseJudgement.viewOf(row, judgement),
      flows: ReleaseJudgement.flowsAt(this.#historyOf(fingerprint), this.#templateOf, bound),
      moment: this.#momentOf(environment, snapshot.timestamp)
    })
  }

  #momentOf(environment: string, now: Timestamp.Timestamp): Moment.Moment {
    const reaching = this.history
      .waivers()
      .filter(({ environment_id }) => environment_id === null || environment_id === environment)
    return { now, waivers: WaiverMatch.allActive(reaching) }
  }

  /**
   * Decides a row again as the evaluation of a snapshot did. The allow-list is that of the environment in which the row
   * runs.
   */
  decide(
    environment: string,
    snapshot: CreatedSnapshot,
    { fingerprint, name, runsIn = environment }: RecomputedRow
  ): Recomputed {
    const { compiled } = this.policiesOf(snapshot)
    const bound = boundOf(snapshot)
    const flows = this.timelineOf(fingerprint)
      .at(bound)
      .map(({ view }) => view)
    const { policy_decisions } = PolicyEvaluation.evaluate(
      compiled,
      { artifact: { name, fingerprint }, flows },
      this.#momentOf(environment, bound.at)
    )
    const decisions = RowDecision.fromDecisions(
      policy_decisions,
      (_, at) => snapshot.policies[at]?.id ?? ""
    )
    const isAllowed = this.history
      .allowedIn(runsIn)
      .some((span) => span.fingerprint === fingerprint && isValidFor(span, bound))
    return { decisions, verdict: isAllowed ? "Compliant" : RowDecision.verdictOf(decisions) }
  }
}
