/**
 * Proves the table of releases of a capsule: that it has every release of the period, each row by the snapshots in
 * which releases began, and each cell by deciding it again. Pure.
 *
 * A cell that needs something that is not shown is *not proved*, and so are the numbers of the table.
 */
import { isKnown } from "../../artifact/Fingerprint.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import type { Judgement } from "../../release-evidence/internal/ReleaseJudgement.js"
import { viewOf } from "../../release-evidence/internal/ReleaseJudgement.js"
import type { Result } from "../../release-evidence/RequirementResults.js"
import * as RequirementTotals from "../../release-evidence/RequirementTotals.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { FlowId, FlowName } from "../../shared/Identifier.js"
import * as TimeWindow from "../../shared/TimeWindow.js"
import type * as Capsule from "../Capsule.js"
import * as CapsuleReleases from "../CapsuleReleases.js"
import type { Claim } from "../CapsuleReport.js"
import type { CreatedSnapshot } from "./CapsuleHistory.js"
import type { BySnapshot } from "./EnvironmentProofs.js"
import type { RowRecomputation } from "./RowRecomputation.js"
import { type Doubting, type Judged, type RowStanding, standingOf } from "./SnapshotProofs.js"

/** The answers of a capsule about releases. */
export interface ReleaseAnswers {
  readonly manifest: Capsule.Manifest
  readonly expected: Capsule.Expected
}

/** What decides releases again, and the judged snapshots of each environment. */
export interface ReleaseProving {
  readonly rows: RowRecomputation
  readonly doubting: Doubting
  readonly snapshots: ReadonlyMap<string, BySnapshot>
}

type Question = CapsuleReleases.ReleaseQuestion
type Row = CapsuleReleases.ReleaseRow
type Cell = CapsuleReleases.ReleaseCell

/** A release that was found and decided again. */
interface Again {
  readonly row: Row
  readonly results: ReadonlyArray<Result>
  readonly doubts: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
  readonly cellDoubts: ReadonlyArray<string>
}

/** By what cells are decided, and what is missing for all of them. */
interface Deciding {
  readonly judgement: Judgement
  readonly readsFacts: boolean
  readonly doubts: ReadonlyArray<string>
}

const decidingOf = (
  { flow, policy }: Question,
  { evaluator }: Capsule.Manifest,
  { doubting, rows }: ReleaseProving
): Deciding => {
  const other = evaluator === SEMANTICS ? [] : ["it was decided by other semantics"]
  const of = flow === null ? undefined : FlowId.make(flow.id)
  if (policy === null)
    return { judgement: { policy: undefined, flow: of }, readsFacts: false, doubts: other }
  const { compiled, readsFacts, unknown } = rows.policiesOf({ policies: [policy] })
  return {
    judgement: { policy: compiled, flow: of },
    readsFacts,
    doubts: [
      ...other,
      ...doubting.ofSubject("policy", policy.id),
      ...doubting.ofWaivers,
      ...(unknown === undefined ? [] : [`the text of policy ${unknown} is not shown`])
    ]
  }
}

const flowNameOf = ({ history }: RowRecomputation, id: string): string =>
  history.nameOf("flow", id) ?? ""

const cellOf = (
  { decisive, requirement, state, waivers }: Result,
  { doubting, rows }: ReleaseProving
): Cell => ({
  requirement: requirement.key,
  state,
  waivers,
  attestations: decisive.map(({ attestation, flow }) => ({
    attestation_id: attestation.id,
    attestation_name: attestation.name,
    attestation_type: attestation.type,
    is_compliant: attestation.isCompliant,
    is_override: attestation.isOverride,
    flow_name: flowNameOf(rows, flow.flow_id),
    trail_name: flow.view.trail_name,
    created_by: doubting.writerOf(attestation.sequence) ?? "",
    created_at: attestation.at,
    log_index: attestation.sequence
  }))
})

/** Decides a row that began to run in a snapshot. */
const decide = (
  { doubts, errors, row }: RowStanding,
  {
    by,
    deciding,
    place,
    snapshot,
    unseen
  }: {
    readonly by: ReleaseProving
    readonly deciding: Deciding
    readonly place: Question["environments"][number]
    readonly snapshot: CreatedSnapshot
    readonly unseen: ReadonlySet<number>
  }
): ReadonlyArray<Again> => {
  const { fingerprint } = row
  const { judgement, readsFacts } = deciding
  const view = viewOf(row, judgement)
  if (!isKnown(fingerprint) || (judgement.flow !== undefined && view === undefined)) return []
  const known = { ...row, fingerprint }
  const results = by.rows.resultsOf(judgement, { environment: place.id, snapshot, row: known })
  const name = view === undefined ? undefined : by.rows.history.nameOf("flow", view.flow_id)
  const ofFlow = view === undefined ? [] : by.doubting.ofSubject("flow", view.flow_id)
  const ofPlace = by.doubting.ofSubject("environment", place.id)
  return [
    {
      row: {
        environment_id: place.id,
        environment: by.rows.history.nameOf("environment", place.id) ?? "",
        snapshot_index: snapshot.index,
        deployed_at: snapshot.timestamp,
        artifact_name: row.name,
        fingerprint,
        flow_name: name === undefined ? null : FlowName.make(name),
        trail_name: view?.trail_name ?? null,
        git_commit: view?.git_commit ?? null,
        commit_url: view?.commit_url ?? null,
        verdict: row.verdict,
        results: results.map((result) => cellOf(result, by))
      },
      results,
      doubts: [...new Set([...by.doubting.ofSnapshot(place.id, snapshot), ...doubts, ...ofFlow])],
      errors,
      cellDoubts: [
        ...new Set([
          ...ofPlace,
          ...deciding.doubts,
          ...by.doubting.ofArtifact(fingerprint, readsFacts),
          ...by.doubting.unseenOf(fingerprint, unseen)
        ])
      ]
    }
  ]
}

/** The releases of one environment in the period, and why there may be others. */
const releasesIn = (
  place: Question["environments"][number],
  { expected, manifest }: ReleaseAnswers,
  {
    by,
    deciding,
    question
  }: {
    readonly by: ReleaseProving
    readonly deciding: Deciding
    readonly question: Question
  }
): { readonly found: ReadonlyArray<Again>; readonly doubts: ReadonlyArray<string> } => {
  const doubts = new Set(by.doubting.ofSubject("environment", place.id))
  const answered = expected.environments.find(({ id }) => id === place.id)
  const unseen = new Map(answered?.snapshots.map((each) => [each.index, each.unseen]))
  const isSelected = (index: number) =>
    manifest.selection.environments.some(
      ({ from, id, to }) => id === place.id && from <= index && index <= to
    )
  const found = by.rows.history.snapshots(place.id).flatMap((snapshot) => {
    const { index, members, timestamp } = snapshot
    if (members !== null || !TimeWindow.includes(question, timestamp)) return []
    const judged = isSelected(index) ? by.snapshots.get(place.id)?.get(index) : undefined
    if (judged === undefined || !judged.hasRows) {
      doubts.add(`the rows of snapshot ${index} of ${place.name} are not proved`)
      return []
    }
    const notSeen = new Set(unseen.get(index))
    return judged.arrived.flatMap((row) =>
      decide(row, { by, deciding, place, snapshot, unseen: notSeen })
    )
  })
  return { found, doubts: [...doubts] }
}

const claimed = (row: Row) => ({
  environment: row.environment,
  index: row.snapshot_index,
  artifact: row.artifact_name,
  fingerprint: row.fingerprint
})

const rowClaim = (row: Row): Claim => ({
  type: "release",
  ...claimed(row),
  at: row.deployed_at,
  verdict: row.verdict
})

/** A cell without who gave its attestations. */
const anonymous = ({ attestations, ...cell }: Cell) => ({
  ...cell,
  attestations: attestations.map(({ created_by: _, ...attestation }) => attestation)
})

/** Judges the cells of a row. */
const cellsOf = (
  row: Row,
  again: Again,
  { doubting, nameOf }: { readonly doubting: Doubting; readonly nameOf: (key: string) => string }
): ReadonlyArray<Judged> => {
  const given = new Map(row.results.map((cell) => [cell.requirement, cell]))
  const decided = new Map(again.row.results.map((cell) => [cell.requirement, cell]))
  return [...new Set([...given.keys(), ...decided.keys()])].flatMap(
    (key): ReadonlyArray<Judged> => {
      const [said, found] = [given.get(key), decided.get(key)]
      const shown = said ?? found
      if (shown === undefined) return []
      const hidden = (found ?? shown).attestations.filter(
        ({ log_index }) => doubting.writerOf(log_index) === undefined
      )
      const doubts = [
        ...again.cellDoubts,
        ...hidden.map(({ attestation_id: id }) => `who gave attestation ${id} is not shown`)
      ]
      const isSame =
        said !== undefined &&
        found !== undefined &&
        (hidden.length === 0
          ? CanonicalJson.equals(said, found)
          : CanonicalJson.equals(anonymous(said), anonymous(found)))
      const claim: Claim = {
        type: "requirement",
        ...claimed(row),
        requirement: nameOf(key),
        state: shown.state,
        given: shown.attestations.map(({ created_at, created_by, log_index }) => ({
          by: created_by,
          at: created_at,
          entry: log_index
        }))
      }
      const difference =
        found === undefined
          ? "it was not required"
          : said === undefined
            ? "it is left out of the table"
            : found.state === said.state
              ? "who gave what and when comes out otherwise"
              : `it comes out ${found.state}`
      return [{ claim, ...standingOf(doubting, doubts, { isSame, said: difference }) }]
    }
  )
}

/** Judges a row of the table, and its cells. */
const rowsOf = (
  row: Row,
  again: Again,
  by: { readonly doubting: Doubting; readonly nameOf: (key: string) => string }
): ReadonlyArray<Judged> => {
  const plain = ({ results: _, ...of }: Row) => of
  const isSame = CanonicalJson.equals(plain(row), plain(again.row))
  const said = "it comes out otherwise"
  const { doubts, errors } = standingOf(by.doubting, again.doubts, { isSame, said })
  return [
    { claim: rowClaim(row), doubts, errors: [...errors, ...again.errors] },
    ...cellsOf(row, again, by)
  ]
}

/** What of the question does not follow from the entries. */
const questionable = (
  { environments, flow, policy, to }: Question,
  { history }: RowRecomputation
): ReadonlyArray<string> => {
  const named = [
    ...environments.map((each) => ["environment", each] as const),
    ...(flow === null ? [] : [["flow", flow] as const]),
    ...(policy === null ? [] : [["policy", policy] as const])
  ]
  const latest = policy === null ? undefined : history.versionAt(policy.id, to)
  return [
    ...named.flatMap(([type, { id, name }]) =>
      history.nameOf(type, id) === name ? [] : [`${type} ${id} has another name than ${name}`]
    ),
    ...(policy === null || policy.version === latest
      ? []
      : [
          `the latest version of policy ${policy.name} was ${latest ?? "none"} when the period ended`
        ])
  ]
}

const countOf = (judged: ReadonlyArray<Judged>): number =>
  judged.filter(({ doubts, errors }) => doubts.length + errors.length > 0).length

/** Judges the table as a whole: that it has every release, and its numbers. */
const tableOf = (
  table: CapsuleReleases.ReleaseTable,
  {
    all,
    by,
    doubts,
    judged,
    question
  }: {
    readonly all: ReadonlyArray<Again>
    readonly by: ReleaseProving
    readonly doubts: ReadonlyArray<string>
    readonly judged: ReadonlyArray<Judged>
    readonly question: Question
  }
): Judged => {
  const { requirements, totals } = RequirementTotals.of(all)
  const isCounted =
    CanonicalJson.equals(totals, table.totals) &&
    CanonicalJson.equals(requirements, table.requirements)
  const keys = new Set(table.releases.map(CapsuleReleases.keyOf))
  const differences = [
    ...questionable(question, by.rows),
    ...(isCounted ? [] : ["its numbers come out otherwise"]),
    ...(keys.size === table.releases.length ? [] : ["it names a release twice"])
  ]
  const open = countOf(judged)
  const standing = standingOf(
    by.doubting,
    [...doubts, ...(open === 0 ? [] : [`${open} of its rows and cells are not proved`])],
    { isSame: differences.length === 0, said: differences.join("; ") }
  )
  const { complete, releases } = table.totals
  const { from, to } = question
  return { claim: { type: "releases", from, to, releases, complete }, ...standing }
}

/** Judges the table of releases, its rows and its cells; nothing where no releases were asked for. */
export const judge = (given: ReleaseAnswers, by: ReleaseProving): ReadonlyArray<Judged> => {
  const { releases: question } = given.manifest.selection
  if (question === undefined) return []
  const table = given.expected.releases ?? {
    totals: { releases: 0, complete: 0, without_requirements: 0 },
    requirements: [],
    releases: []
  }
  const deciding = decidingOf(question, given.manifest, by)
  const places = question.environments.map((place) =>
    releasesIn(place, given, { by, deciding, question })
  )
  const doubts = [...new Set([...places.flatMap((place) => place.doubts), ...deciding.doubts])]
  const all = places.flatMap(({ found }) => found)
  const again = new Map(all.map((each) => [CapsuleReleases.keyOf(each.row), each]))
  const known = new Set(table.releases.map(CapsuleReleases.keyOf))
  const names = new Map(
    [
      ...table.requirements,
      ...all.flatMap(({ results }) => results.map((of) => of.requirement))
    ].map(({ key, kind, name }) => [key, name ?? kind])
  )
  const { doubting } = by
  const nameOf = (key: string) => names.get(key) ?? key
  const judged = [
    ...table.releases.flatMap((row): ReadonlyArray<Judged> => {
      const found = again.get(CapsuleReleases.keyOf(row))
      if (found !== undefined) return rowsOf(row, found, { doubting, nameOf })
      const said = "the recorded snapshots have no such release"
      return [{ claim: rowClaim(row), ...standingOf(doubting, doubts, { isSame: false, said }) }]
    }),
    ...all.flatMap(({ doubts: own, row }): ReadonlyArray<Judged> => {
      if (known.has(CapsuleReleases.keyOf(row))) return []
      const said = "it is left out of the table"
      return [{ claim: rowClaim(row), ...standingOf(doubting, own, { isSame: false, said }) }]
    })
  ]
  return [tableOf(table, { all, by, doubts, judged, question }), ...judged]
}
