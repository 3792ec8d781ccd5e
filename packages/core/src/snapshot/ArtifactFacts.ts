/**
 * The facts that policies evaluate, as of now: of one artifact, and of the running rows of a snapshot.
 *
 * Evaluating them with the policies of an environment gives the decisions that its next snapshot would have.
 * Any number of rows costs two queries beside those of the snapshot.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Reaches } from "../access/Reaches.js"
import { Fingerprint, isKnown } from "../artifact/Fingerprint.js"
import type { Facts } from "../policy/PolicyFacts.js"
import type { MaybeHidden } from "../shared/Hidden.js"
import { type EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as Page from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { HiddenFlows } from "./FlowMask.js"
import * as MaskedFlows from "./internal/MaskedFlows.js"
import type { PlacedRow } from "./LogicalRows.js"
import type { FlowRecord } from "./ProvenanceStore.js"
import { RowEvidence } from "./RowEvidence.js"
import type { SnapshotExpression } from "./SnapshotExpression.js"
import { isAllowed } from "./SnapshotRows.js"
import { Snapshots } from "./Snapshots.js"

/** No flow of the org knows the artifact. */
export class ArtifactUnknown extends Schema.TaggedError<ArtifactUnknown>()("ArtifactUnknown", {
  org: OrgName,
  fingerprint: Fingerprint
}) {
  override get message(): string {
    return `no flow of org \`${this.org}\` knows artifact \`${this.fingerprint}\``
  }
}

/** Facts as their caller sees them: none where a flow is hidden, for facts with a gap give wrong decisions. */
export type ShownFacts = Facts & MaybeHidden

/** Facts as their caller sees them. */
export const shownFacts = (hidden: HiddenFlows | undefined, facts: Facts): ShownFacts =>
  hidden !== undefined && facts.flows.some(({ flow_name }) => hidden.names.has(flow_name))
    ? { artifact: facts.artifact, flows: [], hidden: true }
    : facts

/** The flow of a record, with the name that facts give it. */
const namedFlow = ({ artifact, flowName }: FlowRecord) => [artifact.flow_id, flowName] as const

/** A running row with its facts. */
export interface RowWithFacts {
  /** The physical environment where it runs. */
  readonly environment: string
  /** Whether the allow-list makes it compliant in the snapshot, although a policy fails it. */
  readonly isAllowed: boolean
  readonly facts: ShownFacts
}

/** One page of the running rows of a snapshot, in the order of the snapshot. */
export interface SnapshotFacts {
  readonly environment: EnvironmentName
  readonly isLogical: boolean
  readonly index: number
  readonly timestamp: Timestamp
  /** The policies that evaluated the snapshot, by name. */
  readonly policies: ReadonlyArray<{ readonly name: string; readonly version: number }>
  readonly rows: Page.Paged<RowWithFacts>
}

/** WHY everything: callers evaluate facts with policies of their own. */
const EVERYTHING = { withAttestations: true, withFacts: true, withPurls: true }

const isRunning = ({ annotation }: PlacedRow): boolean => annotation.type !== "exited"

/** Use cases of reading facts. */
export class ArtifactFacts extends Effect.Service<ArtifactFacts>()("@attestry/core/ArtifactFacts", {
  effect: Effect.gen(function* () {
    const evidence = yield* RowEvidence
    const snapshots = yield* Snapshots
    const transaction = yield* Transaction
    const reaches = yield* Reaches
    const hiddenOf = yield* MaskedFlows.make

    /** The facts of an artifact that some flow knows, under the name of its primary record. */
    const get = Effect.fn("ArtifactFacts.get")(function* (org: OrgName, fingerprint: Fingerprint) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const gathered = transaction.run(orgId, () =>
        evidence.gather(orgId, [fingerprint], EVERYTHING)
      )
      const { facts, records } = (yield* gathered)(fingerprint)
      const [primary] = records
      const hidden = yield* hiddenOf(granted, records.map(namedFlow))
      const isReadable = ({ artifact }: FlowRecord) => hidden?.ids.has(artifact.flow_id) !== true
      if (primary === undefined || !records.some(isReadable))
        return yield* new ArtifactUnknown({ org, fingerprint })
      // Conditions are about the name under which the artifact runs; without one, the file name.
      const name = primary.artifact.report.filename
      const found: ShownFacts =
        hidden === undefined
          ? { artifact: { name, fingerprint }, flows: facts }
          : {
              artifact: { name: isReadable(primary) ? name : "", fingerprint },
              flows: [],
              hidden: true
            }
      return found
    })

    /** One page of the running rows of a snapshot, each with the facts that it has now. */
    const list = Effect.fn("ArtifactFacts.list")(function* (
      org: OrgName,
      of: { readonly environment: EnvironmentName; readonly expression: SnapshotExpression },
      page: Page.Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const found = yield* snapshots.whole(granted, of.environment, of.expression)
      const { items, total } = Page.slice(found.rows.filter(isRunning), page)
      const fingerprints = [...new Set(items.map(({ fingerprint }) => fingerprint).filter(isKnown))]
      const knownOf = yield* transaction.run(orgId, () =>
        evidence.gather(orgId, fingerprints, EVERYTHING)
      )
      const records = fingerprints.flatMap((fingerprint) => knownOf(fingerprint).records)
      const hidden = yield* hiddenOf(granted, records.map(namedFlow))
      return {
        environment: found.environment.name,
        isLogical: found.snapshot.members !== null,
        index: found.snapshot.index,
        timestamp: found.snapshot.timestamp,
        policies: found.snapshot.policies.map(({ name, version }) => ({ name, version })),
        rows: {
          items: items.map((row) => ({
            environment: row.environment,
            isAllowed: isAllowed(row),
            facts: shownFacts(hidden, {
              artifact: { name: row.name, fingerprint: row.fingerprint },
              flows: knownOf(row.fingerprint).facts
            })
          })),
          total
        }
      } satisfies SnapshotFacts
    })

    return { get, list } as const
  })
}) {}
