/**
 * One recorded row of a part × the candidate → its verdicts over time, as they were and as they would have been.
 *
 * The candidate is evaluated at the judging by which the row stands when it comes into the part, and at the first
 * judging after each change of its facts, and nowhere else: no other judging could have said anything else.
 */
import type { PolicyDecision } from "../../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import type { PolicyReason } from "../../policy/PolicyReason.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import * as Knowledge from "../../shared/Knowledge.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import * as RowDecision from "../../snapshot/RowDecision.js"
import type { FactTimeline } from "../FactTimeline.js"
import type { HistoryPart } from "../HistoryPart.js"
import type { Held, NumberedSnapshot } from "../HistoryStore.js"
import type { JudgingTimeline } from "../JudgingTimeline.js"
import type { RecordedRow } from "../RecordedRowStore.js"
import { isHeldAt, isHeldBy } from "./AllowedAt.js"

/** By what a row is judged: what judgings saw, what had been accepted at each instant, or what is known now. */
export type BacktestKnowledge = "judged" | "known" | "now"

/** What a part is played with. */
export interface Play {
  /** The candidate alone. */
  readonly candidate: PolicyEvaluation.CompiledPolicies
  /** The name of the policy that it replaces; null where it is added to the others. */
  readonly replaces: string | null
  readonly knowledge: BacktestKnowledge
  /** Whether the replaced versions are evaluated too. */
  readonly verify: boolean
  /** Everything that is looked at was known by then. */
  readonly horizon: Knowledge.Knowledge
  readonly judgings: JudgingTimeline
  /** The snapshots in which rows of the part started, and with which pieces of them begin, by index. */
  readonly started: ReadonlyMap<number, NumberedSnapshot>
  readonly allowances: (fingerprint: string) => ReadonlyArray<Held>
  readonly timelineOf: (fingerprint: string) => FactTimeline
  /** A version of a policy alone; undefined for one that is not stored. */
  readonly versionOf: (key: {
    readonly id: string
    readonly version: number
  }) => PolicyEvaluation.CompiledPolicies | undefined
}

/** Rows whose recorded decisions do not come out again, by cause. */
export interface Unreproduced {
  /** For no other cause. */
  readonly rows: number
  /** Judged under another meaning of rules; they are not played. */
  readonly other_semantics: number
  /** Judged by the policies of a logical environment, which sees evidence that no lock orders. */
  readonly in_flight: number
}

/** A time in which both verdicts of a row are constant. */
export interface Segment {
  readonly row: RecordedRow
  readonly from: Timestamp
  readonly to: Timestamp
  readonly was: Verdict
  readonly wouldBe: Verdict
  /** Computed when asked for: most flips of a long history are counted and not listed. */
  readonly reasons: () => ReadonlyArray<PolicyReason>
}

/** The segments of a row, and what could not be reproduced. */
export interface PlayedRow {
  readonly segments: ReadonlyArray<Segment>
  readonly unreproduced: Unreproduced
}

/** A place from which on a row is judged by one knowledge. */
interface Place {
  readonly at: Timestamp
  readonly knowledge: Knowledge.VisibilityBound
}

/** A piece of a row within the part. */
interface Piece {
  readonly row: RecordedRow
  /** Whether it begins with its first snapshot, and not later with the part. */
  readonly isWhole: boolean
  readonly from: Timestamp
  readonly to: Timestamp
}

/** No reasons. */
export const NO_REASONS = (): ReadonlyArray<PolicyReason> => []

/** The instants at which the allow-list changes for a fingerprint. */
export const allowanceInstants = (play: Play, fingerprint: string): ReadonlyArray<Timestamp> =>
  play
    .allowances(fingerprint)
    .flatMap(({ from, to }) => (to === null ? [from.at] : [from.at, to.at]))

/** Whether the allow-list has the row: at its beginning as its snapshot saw it. */
const isAllowed = (play: Play, { from, isWhole, row }: Piece, instant: Timestamp): boolean => {
  const snapshot = play.started.get(row.firstIndex)
  const held = play.allowances(row.fingerprint)
  return isWhole && instant === from && snapshot !== undefined
    ? held.some((each) => isHeldBy(each, snapshot))
    : held.some((each) => isHeldAt(each, instant))
}

const byInstant = (left: Place, right: Place): number => left.at - right.at

/** Everything that is known at the horizon. */
export const hindsight = ({ horizon: { at, known } }: Play): Knowledge.Knowledge =>
  // WHY one more: the horizon is the highest number that was drawn, and a judging sees what is below its own.
  ({ known: known + 1, at })

/** By what a row of a piece is judged at an instant. */
const knowledgeAt = (play: Play, { row }: Piece, instant: Timestamp): Knowledge.VisibilityBound => {
  if (play.knowledge === "known") return Knowledge.asOf(instant)
  if (play.knowledge === "now") return hindsight(play)
  const start = play.started.get(row.startedIndex)
  return start === undefined ? Knowledge.asOf(instant) : play.judgings.judgedAt(start, instant)
}

/** The instants at which a change of facts comes to count. */
const factInstants = (play: Play, piece: Piece): ReadonlyArray<Timestamp> => {
  const { events } = play.timelineOf(piece.row.fingerprint)
  if (play.knowledge === "now") return []
  if (play.knowledge === "known") return events.map(({ at }) => at)
  const first = knowledgeAt(play, piece, piece.from)
  return events.flatMap((event) => {
    const judging = Knowledge.isVisible(event, first) ? undefined : play.judgings.firstAfter(event)
    return judging === undefined ? [] : [judging.at]
  })
}

/** The places of a piece at which what it is judged by may change, in order; the first is its beginning. */
const placesOf = (play: Play, piece: Piece): ReadonlyArray<Place> => {
  const { from, row, to } = piece
  const changes = [...factInstants(play, piece), ...allowanceInstants(play, row.fingerprint)]
  return [from, ...new Set(changes.filter((at) => at > from && at < to))]
    .map((at) => ({ at, knowledge: knowledgeAt(play, piece, at) }))
    .sort(byInstant)
}

/** What policies say about a row by one knowledge. */
export const evaluateAt = (
  play: Play,
  { fingerprint, name }: RecordedRow,
  knowledge: Knowledge.VisibilityBound
) => {
  const flows = play
    .timelineOf(fingerprint)
    .at(knowledge)
    .map(({ view }) => view)
  const facts = { artifact: { name, fingerprint }, flows }
  return (compiled: PolicyEvaluation.CompiledPolicies) => PolicyEvaluation.evaluate(compiled, facts)
}

/** What policies say about a row. */
export type Evaluate = ReturnType<typeof evaluateAt>

/** Whether the candidate passes a row, and why not. */
export const candidateAt = ({ candidate }: Pick<Play, "candidate">, evaluate: Evaluate) => {
  const evaluation = evaluate(candidate)
  return {
    passes: evaluation.verdict === "Compliant",
    reasons: () => PolicyEvaluation.reasons(candidate, evaluation)
  }
}

/** WHY without the stored form: it is compared for every row of a history, and its texts were a fifth of the work. */
const isSame = (recorded: RowDecision.RowDecision, [decision]: ReadonlyArray<PolicyDecision>) => {
  if (decision === undefined || decision.status !== recorded.status) return false
  const { rule_evaluations: rules } = decision
  return (
    rules.length === recorded.outcomes.length &&
    rules.every(({ resolutions }, place) => {
      const outcomes = recorded.outcomes[place]
      return (
        outcomes?.length === resolutions.length &&
        resolutions.every(({ type }, at) => type === outcomes[at])
      )
    })
  )
}

/** Whether what was recorded comes out again: the decision of the replaced policy, and the verdict. */
const isReproduced = (
  play: Play,
  { decisions, verdict }: RecordedRow,
  { evaluate, isAllowed }: { readonly evaluate: Evaluate; readonly isAllowed: boolean }
): boolean => {
  const replaced = decisions.find((decision) => decision.policy_name === play.replaces)
  const version =
    replaced === undefined
      ? undefined
      : play.versionOf({ id: replaced.policy_id, version: replaced.version })
  if (replaced !== undefined && version !== undefined)
    if (!isSame(replaced, evaluate(version).policy_decisions)) return false
  return verdict === (isAllowed ? "Compliant" : RowDecision.verdictOf(decisions))
}

/** Whether every other policy passes the row: as recorded, or evaluated anew where that is asked. */
const othersPass = (
  play: Play,
  others: ReadonlyArray<RowDecision.RowDecision>,
  evaluate: Evaluate
): boolean =>
  others.every((decision) => {
    if (play.knowledge === "judged") return decision.status === "COMPLIANT"
    const version = play.versionOf({ id: decision.policy_id, version: decision.version })
    return version === undefined
      ? decision.status === "COMPLIANT"
      : evaluate(version).policy_decisions.every(({ status }) => status === "COMPLIANT")
  })

/** The verdict that a row would have had, and why it would not have been compliant. */
const wouldBe = (
  play: Play,
  row: RecordedRow,
  { evaluate, isAllowed }: { readonly evaluate: Evaluate; readonly isAllowed: boolean }
): Pick<Segment, "wouldBe" | "reasons"> => {
  const enforced = row.decisions.filter(isEnforced)
  const others = enforced.filter(({ policy_name }) => policy_name !== play.replaces)
  const isPlayed = play.replaces === null || others.length < enforced.length
  if (!isPlayed && play.knowledge === "judged") return { wouldBe: row.verdict, reasons: NO_REASONS }
  if (isAllowed) return { wouldBe: "Compliant", reasons: NO_REASONS }
  if (!isPlayed && others.length === 0) return { wouldBe: "Unknown", reasons: NO_REASONS }
  const { passes, reasons } = isPlayed
    ? candidateAt(play, evaluate)
    : { passes: true, reasons: NO_REASONS }
  return {
    wouldBe: passes && othersPass(play, others, evaluate) ? "Compliant" : "NonCompliant",
    reasons
  }
}

/** The pieces of a row as times, cut to the part. */
const piecesOf = (
  { from, heads, to }: HistoryPart,
  rows: ReadonlyArray<RecordedRow>
): ReadonlyArray<Piece> => {
  const base = heads[0]?.index ?? 0
  return rows
    .map((row) => {
      const start = heads[row.firstIndex - base]?.timestamp ?? from
      const end = heads[row.lastIndex + 1 - base]?.timestamp ?? to
      const isWhole = start >= from
      return { row, isWhole, from: isWhole ? start : from, to: end < to ? end : to }
    })
    .filter((piece) => piece.from < piece.to)
}

const NONE: Unreproduced = { rows: 0, other_semantics: 0, in_flight: 0 }

/** Plays one piece of a row: null where what was recorded does not come out again. */
const playPiece = (play: Play, piece: Piece): ReadonlyArray<Segment> | null => {
  const { row } = piece
  const places = placesOf(play, piece)
  const segments: Array<Segment> = []
  for (const [at, { at: from, knowledge }] of places.entries()) {
    const judged = {
      evaluate: evaluateAt(play, row, knowledge),
      isAllowed: isAllowed(play, piece, from)
    }
    if (play.verify && play.knowledge === "judged" && !isReproduced(play, row, judged)) return null
    const to = places[at + 1]?.at ?? piece.to
    segments.push({ row, from, to, was: row.verdict, ...wouldBe(play, row, judged) })
  }
  return segments
}

/** The verdicts of a row over time; pieces that cannot be played keep the verdict that they had. */
export const segmentsOf = (
  part: HistoryPart,
  rows: ReadonlyArray<RecordedRow>,
  play: Play
): PlayedRow => {
  const segments: Array<Segment> = []
  let unreproduced = NONE
  for (const piece of piecesOf(part, rows)) {
    const { row } = piece
    const started = play.started.get(row.startedIndex)
    const isOther = started !== undefined && started.semantics !== SEMANTICS
    const played = isOther ? null : playPiece(play, piece)
    if (played === null) {
      const cause = isOther ? "other_semantics" : "rows"
      unreproduced = { ...unreproduced, [cause]: unreproduced[cause] + 1 }
      const { from, to } = piece
      const { verdict } = row
      segments.push({ row, from, to, was: verdict, wouldBe: verdict, reasons: NO_REASONS })
    } else for (const segment of played) segments.push(segment)
  }
  return { segments, unreproduced }
}
