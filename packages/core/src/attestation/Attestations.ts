/** Records evidence about trails and artifacts. SPEC §4.8, §4.12 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import * as Renewal from "../artifact/internal/Renewal.js"
import { AttestationTypes } from "../attestation-type/AttestationTypes.js"
import { TrailEvaluator } from "../compliance/internal/TrailEvaluator.js"
import { ControlStore } from "../control/ControlStore.js"
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import type { Repo } from "../repo/Repo.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import {
  AttestationId,
  type FlowName,
  type OrgId,
  type OrgName,
  type TrailName
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import * as Span from "../shared/Span.js"
import { Transaction } from "../shared/Transaction.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import type { TrailEvent } from "../trail/internal/TrailEvent.js"
import { TrailListener } from "../trail/internal/TrailListener.js"
import type { Trail } from "../trail/Trail.js"
import { Trails } from "../trail/Trails.js"
import { AttachmentStore } from "./AttachmentStore.js"
import * as Attestation from "./Attestation.js"
import * as AttestationFacts from "./AttestationFacts.js"
import * as AttestationReport from "./AttestationReport.js"
import * as AttestationScope from "./AttestationScope.js"
import { AttestationStore } from "./AttestationStore.js"
import * as DecidedControl from "./internal/DecidedControl.js"
import * as HeldOverride from "./internal/HeldOverride.js"
import * as RecordedAgents from "./internal/RecordedAgents.js"

/** A file of a report with its size and fingerprint; its content can be read more than once. */
export interface AttachedFile<E> extends Attestation.Attachment {
  readonly content: Stream.Stream<Uint8Array, E>
}

/** The trail that an attestation is reported to. */
export interface TrailPath {
  readonly org: OrgName
  readonly flow: FlowName
  readonly trail: TrailName
}

/** The members of a report that an override takes from what it overrides, and the values that follow from them. */
interface Content {
  readonly type: string
  readonly body: Attestation.Attestation["body"]
  /** The body in canonical form. */
  readonly printed: CanonicalJson.Printed
  readonly digest: string
}

/** A report, with the values that are computed before the transaction. */
interface Submission {
  readonly path: TrailPath
  readonly given: AttestationReport.AttestationReport
  readonly attachments: ReadonlyArray<Attestation.Attachment>
  /** The content as it was given. */
  readonly content: Content
}

/** A report with its files, which are stored. */
export type RecordedReport = Pick<Submission, "given" | "attachments">

/** An attestation of a report: a new one, or the one that the report repeats. */
export interface RecordedAttestation {
  readonly fact: Attestation.AttestationFact
  readonly result: "created" | "unchanged"
}

/** An attestation to be stored. */
interface Draft {
  readonly fact: Omit<Attestation.AttestationFact, "sequence" | "id">
  readonly body: Attestation.Attestation["body"]
  readonly printed: CanonicalJson.Printed
  readonly attachments: ReadonlyArray<Attestation.Attachment>
}

const byFingerprint = (left: Attestation.Attachment, right: Attestation.Attachment): number =>
  left.fingerprint < right.fingerprint ? -1 : left.fingerprint > right.fingerprint ? 1 : 0

const tell = (
  { id, name, isCompliant }: Attestation.AttestationFact,
  result: WriteOutcome["result"]
) => CurrentOutcome.setOutcome({ type: "attestation", id, name, result, isCompliant })

/** Stores the files of a report. WHY sorted: two reports with the same files lock them in the same order. */
const keepingFiles =
  (contents: AttachmentStore["Type"]) =>
  <E>(org: OrgId, files: ReadonlyArray<AttachedFile<E>>) =>
    Effect.forEach(
      [...files].sort(byFingerprint),
      ({ fingerprint, content }) => contents.put({ org, fingerprint }, content),
      { discard: true }
    )

/** Use cases of attestations. */
export class Attestations extends Effect.Service<Attestations>()("@attestry/core/Attestations", {
  effect: Effect.gen(function* () {
    const [store, contents] = [yield* AttestationStore, yield* AttachmentStore]
    const artifacts = yield* ArtifactStore
    const trails = yield* Trails
    const types = yield* AttestationTypes
    const controls = yield* ControlStore
    const withAgents = yield* RecordedAgents.make
    const evaluator = yield* TrailEvaluator
    const listener = yield* TrailListener
    const transaction = yield* Transaction
    const journals = yield* Journals
    const [secrets, ids] = [yield* Secrets, yield* IdGenerator]
    const held = yield* HeldChanges
    const reaches = yield* Reaches

    const keepFiles = keepingFiles(contents)

    /** The control of the newest decision among attestations; an override of the decision has the same one. */
    const controlAmong = (org: OrgId, facts: ReadonlyArray<Attestation.AttestationFact>) =>
      Effect.gen(function* () {
        const newest = facts.find(({ type }) => type === "decision")
        if (newest === undefined) return {}
        const found = yield* store.find(org, newest.id)
        return Option.getOrElse(Option.flatMap(found, DecidedControl.of), () => ({}))
      })

    const contentOf = Effect.fnUntraced(function* (
      { isCompliant, isOverride, body, type }: AttestationReport.AttestationReport,
      attachments: ReadonlyArray<Attestation.Attachment>
    ) {
      const printed = CanonicalJson.Printed.of(body)
      const digested = { attachments, body: printed, isCompliant, isOverride, type }
      const digest = yield* secrets.digest(Attestation.digestedText(digested))
      return { type, body, printed, digest } satisfies Content
    })

    /** The content of an override: it has the type and the control of what it overrides. */
    const contentOfOverride = Effect.fnUntraced(function* (
      org: OrgId,
      { given, attachments }: Submission,
      earlier: ReadonlyArray<Attestation.AttestationFact>
    ) {
      const types = earlier.map((fact) => fact.type)
      const type = AttestationTypePattern.overridden(given.type, types)
      const control = type === "decision" ? yield* controlAmong(org, earlier) : {}
      return yield* contentOf({ ...given, type, body: { ...given.body, ...control } }, attachments)
    })

    /** The fact that a report would add to the evidence of its trail, and its content. */
    const assess = Effect.fnUntraced(function* (trail: Trail, submission: Submission) {
      const { path, given } = submission
      const { org_id, id } = trail
      const found = yield* artifacts.listFacts(org_id, id)
      const scope = yield* AttestationScope.locate(given.body, path, found)
      const { fingerprint, slots, commit } = scope
      const name = given.body.attestation_name
      const target = { name, fingerprint, slots }
      const earlier = Attestation.ofTarget(yield* store.listFacts(org_id, id), target)
      const content = given.isOverride
        ? yield* contentOfOverride(org_id, submission, earlier)
        : submission.content
      const { type, digest } = content
      return {
        repeated: earlier[0]?.digest === digest ? earlier[0] : undefined,
        overridden: earlier[0],
        content,
        fact: {
          name,
          fingerprint,
          slots,
          type,
          isCompliant: given.isCompliant,
          isOverride: given.isOverride,
          commit,
          digest
        }
      }
    })

    // WHY each field is named: spreading the fact costs many times as much.
    const append = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      trail: Trail,
      draft: Draft
    ) {
      const { fact, body, printed, attachments } = draft
      const { name, fingerprint, slots, type, isCompliant, isOverride, commit, digest } = fact
      const id = AttestationId.make(yield* ids.next)
      const { sequence } = yield* journals.record({
        org: writer.org,
        actor: writer.actor,
        at: writer.at,
        kind: Attestation.eventKind(fact),
        subject: { type: "trail", id: trail.id },
        // WHY in order of name: canonical JSON prints fields in this order without sorting them.
        content: {
          attachments,
          attestation_id: id,
          body: printed,
          commit,
          fingerprint,
          isCompliant,
          isOverride,
          name,
          slots,
          type
        }
      })
      const attestation: Attestation.Attestation = {
        org_id: writer.org,
        id,
        flow_id: trail.flow_id,
        trail_id: trail.id,
        sequence,
        name,
        fingerprint,
        slots,
        type,
        isCompliant,
        isOverride,
        commit,
        digest,
        body,
        policy_facts: AttestationFacts.stored({ type, body, isOverride }),
        attachments,
        created_by: writer.actor.name,
        created_at: writer.at
      }
      yield* store.append(attestation)
      return attestation
    })

    /** Whether a report renews the attestation that it repeats. */
    const isRenewal = (writer: WriteContext.WriteContext, repeated: AttestationId) =>
      Effect.flatMap(
        store.find(writer.org, repeated),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (known) => Renewal.isRenewal(artifacts, writer, known)
        })
      )

    /** Records a report on a locked trail, unless it is a retry of the newest of its name and target. */
    const take = Effect.fnUntraced(function* (
      event: TrailEvent,
      submission: Submission,
      repo: Option.Option<Repo>
    ) {
      const { given, attachments } = submission
      const { writer, trail } = event
      const { repeated, content, fact, overridden } = yield* assess(trail, submission)
      if (repeated !== undefined && !(yield* isRenewal(writer, repeated.id))) {
        yield* evaluator.refresh(event)
        yield* tell(repeated, "unchanged")
        return { fact: repeated, result: "unchanged" as const }
      }
      if (given.isOverride)
        yield* held.check(writer, {
          ...HeldOverride.of(submission.path, { fact, overridden }),
          at: { kind: "flow", id: trail.flow_id }
        })
      yield* trails.note(writer, trail, { links: given.body, known: repo })
      const { body, printed } = content
      const attestation = yield* append(writer, trail, { fact, body, printed, attachments })
      yield* evaluator.evaluate(event, attestation.sequence)
      const { fingerprint, sequence } = attestation
      const occurrence = { _tag: "AttestationReported", attestation, fingerprint } as const
      yield* listener.stored(event, occurrence, sequence)
      yield* tell(attestation, "created")
      return { fact: attestation, result: "created" as const }
    })

    /** Records a report on a trail that the caller has locked; it has authorized the write and stored the files. */
    const recordOn = (event: TrailEvent, path: TrailPath, report: RecordedReport) =>
      Effect.flatMap(contentOf(report.given, report.attachments), (content) =>
        take(event, { path, ...report, content }, Option.none())
      )

    const reported = Effect.fnUntraced(function* <E>(
      path: TrailPath,
      stated: AttestationReport.AttestationReport,
      files: ReadonlyArray<AttachedFile<E>>
    ) {
      const granted = yield* reaches.authorize(path.org, "attestation.write")
      const given = yield* withAgents(granted.orgId, stated)
      const attachments = files.map(({ filename, fingerprint, size }) => ({
        filename,
        fingerprint,
        size
      }))
      const content = yield* contentOf(given, attachments)
      const repo = yield* trails.findRepo(granted.orgId, given.body)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          // WHY first: other writers of the trail must not wait while files are stored.
          if (files.length > 0) yield* keepFiles(granted.orgId, files)
          const at = { flow: path.flow, name: path.trail }
          const event = yield* trails.lockOrCreate(granted, at, scope)
          const { result } = yield* take(event, { path, given, attachments, content }, repo)
          return result
        })
      )
    })

    /**
     * Records a report with its files, all or nothing, and creates the flow and the trail where they are
     * absent. A report that equals the newest of its name and target is not stored again. DECISIONS.md, "Retried writes
     * converge"
     */
    const report = <E>(
      path: TrailPath,
      given: AttestationReport.AttestationReport,
      files: ReadonlyArray<AttachedFile<E>>
    ) => Span.withSpan("Attestations.report", reported(path, given, files))

    /** Records an attestation of a custom type, evaluated by its newest version. */
    const reportCustom = Effect.fn("Attestations.reportCustom")(function* <E>(
      path: TrailPath,
      body: typeof AttestationReport.CustomReport.Type,
      files: ReadonlyArray<AttachedFile<E>>
    ) {
      const granted = yield* reaches.authorize(path.org, "attestation.write")
      const evaluated = yield* types.evaluate(granted, body.type_name, body.attestation_data)
      return yield* report(path, AttestationReport.custom(body, evaluated), files)
    })

    /**
     * Records a decision about a control with the control's current version; the control need not exist. The
     * same decision about another version is a different one. A decision after the control changed is another decision.
     */
    const reportDecision = Effect.fn("Attestations.reportDecision")(function* <E>(
      path: TrailPath,
      body: typeof AttestationReport.DecisionReport.Type,
      files: ReadonlyArray<AttachedFile<E>>
    ) {
      const { orgId } = yield* reaches.authorize(path.org, "attestation.write")
      return yield* transaction.run(orgId, () =>
        Effect.flatMap(controls.find({ org: orgId, identifier: body.control }), (control) =>
          report(
            path,
            AttestationReport.decision(body, Option.getOrNull(control)?.version ?? null),
            files
          )
        )
      )
    })

    return { report, reportCustom, reportDecision, recordOn } as const
  })
}) {}
