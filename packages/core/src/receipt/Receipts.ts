/** Makes receipts of decisions, signed by the keys of the org's log. SPEC §4.29 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import { EvidenceEntries } from "../environment-events/EvidenceEntries.js"
import * as AsOf from "../history/AsOf.js"
import {
  type AssertionQuery,
  Assertions,
  type DecidedAssertion,
  type EarlierAssertion
} from "../history/Assertions.js"
import { LogReferences } from "../log/LogReferences.js"
import type { LogQuestion } from "../log/LogViews.js"
import { SEMANTICS } from "../policy/PolicySemantics.js"
import type { VersionKey } from "../policy/PolicySets.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { HiddenFlows } from "../snapshot/FlowMask.js"
import { versionsOf } from "../snapshot/internal/EvaluatedRow.js"
import type { SnapshotExpression } from "../snapshot/SnapshotExpression.js"
import { type CompleteSnapshot, Snapshots } from "../snapshot/Snapshots.js"
import * as DecisionReceipt from "./DecisionReceipt.js"
import * as Dsse from "./Dsse.js"
import * as BuildLevel from "./internal/BuildLevel.js"
import * as SnapshotSummary from "./internal/SnapshotSummary.js"
import * as TrailChains from "./internal/TrailChains.js"
import * as ReceiptFailure from "./ReceiptFailure.js"
import { SUBJECTS_MAX } from "./ReceiptLimits.js"
import type { ReceiptPredicate } from "./ReceiptPredicate.js"

/** The log of an org, the URL of the deployment, and the predicate of the receipt. */
export interface ReceiptQuestion extends LogQuestion {
  readonly publicUrl: string
  readonly predicate: ReceiptPredicate
}

/** A snapshot, or one artifact that runs in it. */
export interface SnapshotReceiptAsked {
  readonly environment: EnvironmentName
  readonly expression: SnapshotExpression
  readonly fingerprint?: Fingerprint
}

/** An assertion, for how many seconds its receipt is valid, and as of which instant it is decided. */
export interface AssertionReceiptAsked extends AssertionQuery {
  readonly expiresIn: number
  readonly asOf?: AsOf.AsOf
}

/** A decided assertion, and the records that were looked at. */
interface Decided extends Pick<DecidedAssertion, "view" | "facts" | "set"> {
  readonly known: EarlierAssertion["known"]
}

/** What a decision was made of, and when. */
interface MadeDecision {
  readonly decided: Decided
  readonly now: Timestamp.Timestamp
  /** The instant as of which; `now` unless an earlier one was asked for. */
  readonly at: Timestamp.Timestamp
  readonly isEarlier: boolean
}

const scopeOf = ({ flow, target }: AssertionQuery): DecisionReceipt.ReceiptScope => {
  switch (target.scope) {
    case "environment":
      return { type: "environment", name: target.environment }
    case "policy":
      return { type: "policies" }
    case "flow":
      return { type: "flow", name: flow ?? null }
  }
}

const waiversOf = ({ view }: Decided): ReadonlyArray<number> => {
  const contexts = view.policy_decisions.flatMap(({ rule_evaluations }) =>
    rule_evaluations.flatMap(({ resolutions }) => resolutions.map(({ context }) => context.waiver))
  )
  return [...new Set(contexts)]
    .filter((waiver) => waiver !== undefined)
    .sort((left, right) => left - right)
}

/** The digest of the text of a policy version; null for the policy that requires provenance, which has none. */
type DigestOf = (key: Pick<VersionKey, "id" | "version">) => string | null

/** The policies of a decision, with the digests of their texts. */
const policiesOf = (
  versions: ReadonlyArray<VersionKey>,
  digestOf: DigestOf
): ReadonlyArray<DecisionReceipt.ReceiptPolicy> =>
  versions.map(({ id, mode, name, version }) => ({
    name,
    version,
    sha256: digestOf({ id, version }),
    ...(mode === undefined ? {} : { mode })
  }))

/** When a receipt ends: no later than time alone makes the artifact fail. */
const endOf = (
  { decided, isEarlier, now }: MadeDecision,
  expiresIn: number
): Timestamp.Timestamp => {
  const end = Timestamp.plusSeconds(now, expiresIn)
  const { expiry } = decided.view
  // What was true at an earlier instant stays so.
  return !isEarlier && expiry !== undefined && expiry.at < end ? expiry.at : end
}

/** Use cases of decision receipts. */
export class Receipts extends Effect.Service<Receipts>()("@attestry/core/Receipts", {
  effect: Effect.gen(function* () {
    const [snapshots, assertions] = [yield* Snapshots, yield* Assertions]
    const [entries, log] = [yield* EvidenceEntries, yield* LogReferences]
    const [policies, artifacts] = [yield* PolicyStore, yield* ArtifactStore]
    const transaction = yield* Transaction
    const chains = yield* TrailChains.make
    const reaches = yield* Reaches

    /** The digests of the texts of policies. */
    const digestsOf = (
      org: OrgId,
      versions: ReadonlyArray<VersionKey>
    ): Effect.Effect<DigestOf, StoreError> =>
      Effect.gen(function* () {
        const keys = versions.filter(({ version }) => version > 0)
        const found = keys.length === 0 ? [] : yield* policies.listVersions(org, { keys })
        const digests = new Map(
          found.map(({ policy_id, policy_yaml, version }) => [
            `${policy_id} ${version}`,
            Base64.encodeHex(Sha256.digestText(policy_yaml))
          ])
        )
        return ({ id, version }) => digests.get(`${id} ${version}`) ?? null
      })

    /** The envelope of a receipt. */
    const seal = (question: ReceiptQuestion, receipt: DecisionReceipt.DecisionReceipt) =>
      Effect.gen(function* () {
        const payload = DecisionReceipt.print(receipt, question.predicate)
        const signed = { payloadType: Dsse.IN_TOTO, payload }
        const { origin } = receipt.place.log
        const text = Dsse.signedText(signed)
        const signatures = yield* log.sign(question, { origin, text })
        return Dsse.print({ ...signed, signatures })
      })

    /** The place of a snapshot's own entry. */
    const placeOf = (
      question: ReceiptQuestion,
      org: OrgId,
      named: { readonly environment: EnvironmentName; readonly index: number }
    ) =>
      Effect.gen(function* () {
        const sequences = yield* entries.sequencesOf(org, { _tag: "Snapshot", ...named })
        const [place = Option.none()] = yield* log.places(question, sequences.slice(0, 1))
        return yield* Effect.mapError(place, () => new ReceiptFailure.ReceiptPending(question))
      })

    const summaryOf = (found: CompleteSnapshot, fingerprint: Fingerprint | undefined) => {
      const { index } = found.snapshot
      const environment = found.environment.name
      const rows = SnapshotSummary.rowsOf(found, fingerprint)
      const summary = SnapshotSummary.summarize(found, rows, fingerprint)
      const subjects = summary.subjects.length
      const max = SUBJECTS_MAX
      if (subjects > max) {
        return new ReceiptFailure.TooManySubjects({ environment, index, subjects, max })
      }
      return subjects === 0
        ? new ReceiptFailure.ReceiptWithoutSubject({
            environment,
            index,
            fingerprint: fingerprint ?? null
          })
        : Effect.succeed(summary)
    }

    /**
     * Fails for the receipt of one artifact that hidden flows know, for it names what they know. The receipt of a whole
     * snapshot names artifacts, policies and verdicts alone.
     */
    const checkReadable = (
      hidden: HiddenFlows | undefined,
      found: CompleteSnapshot,
      fingerprint: Fingerprint
    ) => {
      const isHidden = found.rows.some(
        (row) =>
          row.fingerprint === fingerprint &&
          row.flows.some(({ flow_id }) => hidden?.ids.has(flow_id) === true)
      )
      return isHidden ? new ReceiptFailure.ReceiptOfHidden({ fingerprint }) : Effect.void
    }

    /**
     * Makes receipts of a snapshot as who reads the whole org sees it: of all of it, or of one artifact of it. What
     * they have in common is read once, with the first of them.
     */
    const makerOf = Effect.fnUntraced(function* (
      granted: GrantedWithin,
      asking: ReceiptQuestion,
      found: CompleteSnapshot
    ) {
      const { orgId } = granted
      const { environment, snapshot } = found
      const { index: snapshot_index } = snapshot
      const question = { ...asking, authorized: orgId }
      const hiddenFlows = yield* Effect.cached(snapshots.hiddenIn(granted, found))
      const digests = yield* Effect.cached(digestsOf(orgId, versionsOf(snapshot, found.rows)))
      const placed = yield* Effect.cached(
        Effect.zipLeft(
          placeOf(question, orgId, { environment: environment.name, index: snapshot_index }),
          log.published(question)
        )
      )
      return (fingerprint?: Fingerprint) =>
        Effect.gen(function* () {
          if (fingerprint !== undefined)
            yield* checkReadable(yield* hiddenFlows, found, fingerprint)
          const { trails, versions, ...summary } = yield* summaryOf(found, fingerprint)
          const place = yield* placed
          const { entry, index, origin } = place
          const isRow = fingerprint !== undefined
          const evidence = yield* chains.read(question, orgId, {
            entries: isRow ? yield* chains.entriesOf(orgId, trails) : [],
            before: place,
            lookedAt: trails
          })
          const { chain, inputs } = evidence
          const subject = { type: "environment", id: environment.id }
          return yield* seal(question, {
            ...summary,
            org: question.org,
            base: DecisionReceipt.baseOf(origin, question.publicUrl),
            scope: { type: "environment", name: environment.name },
            policies: policiesOf(versions, yield* digests),
            chain: [{ subject, entry, index }, ...TrailChains.within(chain, origin)],
            ...(isRow && inputs !== undefined ? { inputs } : {}),
            ...(isRow ? BuildLevel.fieldOf(evidence.counted, fingerprint) : {}),
            place: { snapshot_index, log: { origin, index } },
            evaluator: SEMANTICS
          })
        })
    })

    /** The receipt of a snapshot, or of one artifact of it: the same bytes while the same keys sign. */
    const ofSnapshot = Effect.fn("Receipts.ofSnapshot")(function* (
      asking: ReceiptQuestion,
      { environment, expression, fingerprint }: SnapshotReceiptAsked
    ) {
      const granted = yield* reaches.authorize(asking.org, "org.read")
      const found = yield* snapshots.whole(granted, environment, expression)
      const receiptOf = yield* makerOf(granted, asking, found)
      return yield* receiptOf(fingerprint)
    })

    /**
     * The trails to which the artifact was reported by an instant, in the flows that count. WHY all: a flow decides by
     * its newest report, and an earlier one must not be left out unnoticed.
     */
    const trailsOf = (
      org: OrgId,
      { fingerprint, flow }: AssertionQuery,
      { at, decided: { known }, isEarlier }: MadeDecision
    ) =>
      Effect.map(
        artifacts.listByContent({ org, fingerprint }),
        (reported): ReadonlyArray<string> => {
          const flows = new Set<string>(known.map(({ flow_id }) => flow_id))
          const counted = reported.filter(
            ({ created_at, flow_id }) =>
              (!isEarlier || created_at <= at) && (flow === undefined || flows.has(flow_id))
          )
          return [...new Set(counted.map(({ trail_id }) => trail_id))].sort()
        }
      )

    /** Decides now, or as of an earlier instant. */
    const decideAt = (
      granted: GrantedWithin,
      { asOf, ...query }: AssertionQuery & { readonly asOf?: AsOf.AsOf },
      now: Timestamp.Timestamp
    ) =>
      Effect.gen(function* () {
        const asked = asOf === undefined ? now : AsOf.instantOf(asOf, now)
        const isEarlier = asked < now
        const at = isEarlier ? asked : now
        const { hidden, ...decided } = isEarlier
          ? yield* assertions.decideAt(granted, query, { asOf: at, now })
          : yield* Effect.map(
              assertions.decide(granted, query, { now, withAttestations: true }),
              ({ records, ...now }) => ({ ...now, known: records.map(({ artifact }) => artifact) })
            )
        if (hidden !== undefined) {
          const { fingerprint } = query
          return yield* new ReceiptFailure.ReceiptOfHidden({ fingerprint })
        }
        return { decided, now, at, isEarlier } satisfies MadeDecision
      })

    /** Decides an assertion, and reads the entries about the trails that it looked at, in one transaction. */
    const decide = (granted: GrantedWithin, query: Omit<AssertionReceiptAsked, "expiresIn">) =>
      transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const made = yield* decideAt(granted, query, yield* scope.now)
          const lookedAt = made.decided.known.map(({ trail_id }) => trail_id)
          const trails = yield* trailsOf(granted.orgId, query, made)
          const entries = yield* chains.entriesOf(granted.orgId, trails)
          return {
            ...made,
            lookedAt,
            entries: entries.filter(({ at }) => !made.isEarlier || at <= made.at)
          }
        })
      )

    /** The receipt of an assertion, whether the artifact is compliant or not. */
    const ofAssertion = Effect.fn("Receipts.ofAssertion")(function* (
      asking: ReceiptQuestion,
      { expiresIn, ...query }: AssertionReceiptAsked
    ) {
      const granted = yield* reaches.authorize(asking.org, "org.read")
      const question = { ...asking, authorized: granted.orgId }
      const made = yield* decide(granted, query)
      const { view, facts, set } = made.decided
      const { chain, counted, ...evidence } = yield* chains.read(question, granted.orgId, made)
      const published = yield* log.published(question)
      return yield* seal(question, {
        ...evidence,
        chain: TrailChains.within(chain, published.origin),
        subjects: [{ name: facts.artifact.name, sha256: query.fingerprint }],
        org: question.org,
        base: DecisionReceipt.baseOf(published.origin, question.publicUrl),
        scope: scopeOf(query),
        at: made.at,
        ...(made.isEarlier ? { isEarlier: true } : {}),
        ...BuildLevel.fieldOf(counted, query.fingerprint),
        verdict: view.compliant ? "Compliant" : "NonCompliant",
        policies: policiesOf(set.versions, yield* digestsOf(granted.orgId, set.versions)),
        facts: DecisionReceipt.digestOf(facts),
        allow_listed: view.is_allowed ? [query.fingerprint] : [],
        waivers: waiversOf(made.decided),
        place: { expires_at: endOf(made, expiresIn), log: published },
        evaluator: SEMANTICS
      })
    })

    return { ofSnapshot, ofAssertion, makerOf } as const
  })
}) {}
