/**
 * Proves the snapshots of a physical environment: their rows by the digests in the log, and the decisions and verdicts
 * of rows by deciding them again. Pure.
 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import * as NewDeployments from "../../snapshot/internal/NewDeployments.js"
import * as SnapshotCounts from "../../snapshot/SnapshotCounts.js"
import * as Capsule from "../Capsule.js"
import type { Claim } from "../CapsuleReport.js"
import type { CreatedSnapshot } from "./CapsuleHistory.js"
import type { RowRecomputation } from "./RowRecomputation.js"

/** Why something is not proved, and what is wrong with it; it is proved if there is neither. */
export interface Standing {
  readonly doubts: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

/** A claim with its standing. */
export interface Judged extends Standing {
  readonly claim: Claim
}

/** The entries that a verdict needs and that the capsule does not show, in words. */
export interface Doubting {
  /** About the evidence of an artifact. */
  readonly ofArtifact: (fingerprint: string, readsFacts: boolean) => ReadonlyArray<string>
  /** About an environment and the policies of a snapshot. */
  readonly ofSnapshot: (environment: string, snapshot: CreatedSnapshot) => ReadonlyArray<string>
  /** About an artifact whose evidence includes an entry. */
  readonly unseenOf: (fingerprint: string, unseen: ReadonlySet<number>) => ReadonlyArray<string>
  /** About the entries of a subject. */
  readonly ofSubject: (type: string, id: string) => ReadonlyArray<string>
  /** About the waivers. */
  readonly ofWaivers: ReadonlyArray<string>
  /** The name of who wrote an entry; undefined where it is not shown. */
  readonly writerOf: (index: number) => string | undefined
  /** Whether nothing at all is missing. */
  readonly isWhole: boolean
}

/** WHY a doubt in a capsule that is not whole: what is missing may be the reason. */
export const standingOf = (
  { isWhole }: Pick<Doubting, "isWhole">,
  doubts: ReadonlyArray<string>,
  { isSame, said }: { readonly isSame: boolean; readonly said: string }
): Standing =>
  isSame || doubts.length > 0 || !isWhole
    ? { doubts: isSame ? doubts : [...doubts, said], errors: [] }
    : { doubts, errors: [said] }

/** A snapshot with its standing, and the rows that run in it. */
export interface JudgedSnapshot extends Judged {
  readonly snapshot: CreatedSnapshot
  readonly running: ReadonlyArray<Capsule.ExpectedRow>
  /** The rows whose fingerprint began to run in it: its deployments. */
  readonly arrived: ReadonlyArray<RowStanding>
  /** Whether it is known which rows run in it. */
  readonly hasRows: boolean
}

/** The environment whose snapshots are proved. */
export interface ProvedEnvironment {
  readonly id: string
  readonly name: string
}

/** What a capsule says of a snapshot. */
export const claimOf = (
  { name }: ProvedEnvironment,
  { index, timestamp, verdict }: CreatedSnapshot,
  rows: number
): Claim => ({ type: "snapshot", environment: name, index, verdict, at: timestamp, rows })

/** A row with its standing. */
export interface RowStanding extends Standing {
  readonly row: Capsule.ExpectedRow
}

const readRow = Schema.decodeUnknownOption(Capsule.ExpectedRow)

const keyOf = ({ fingerprint, name }: { readonly name: string; readonly fingerprint: string }) =>
  `${fingerprint}:${name}`

const digestOf = ({ begun, ended }: Capsule.ExpectedSnapshot): string =>
  Base64.encodeHex(Sha256.digestText(CanonicalJson.print({ begun, ended })))

/** A snapshot by its entry, and the digest of its row changes; undefined where no entry is shown. */
export interface RecordedRows {
  readonly snapshot: CreatedSnapshot | undefined
  readonly digest: string | undefined
}

/** Proves the snapshots of one environment, from the first on. */
export class SnapshotProofs {
  readonly #rows = new Map<string, RowStanding>()
  /** The rows that began to run in the last snapshot. */
  #arrived: ReadonlyArray<RowStanding> = []
  #broken: string | undefined

  constructor(
    readonly environment: ProvedEnvironment,
    readonly rows: RowRecomputation,
    readonly doubting: Doubting
  ) {}

  /** Decides a row again that began in a snapshot. */
  #decide(
    snapshot: CreatedSnapshot,
    row: Capsule.ExpectedRow,
    unseen: ReadonlySet<number>
  ): RowStanding {
    const before = this.#rows.get(keyOf(row))
    const doubts: Array<string> = []
    const { readsFacts, unknown } = this.rows.policiesOf(snapshot)
    if (snapshot.semantics !== SEMANTICS) doubts.push("it was decided by other semantics")
    if (unknown !== undefined) doubts.push(`the text of policy ${unknown} is not shown`)
    doubts.push(...this.doubting.ofArtifact(row.fingerprint, readsFacts))
    doubts.push(...this.doubting.unseenOf(row.fingerprint, unseen))
    if (snapshot.semantics !== SEMANTICS) return { row, doubts, errors: [] }
    const again = this.rows.decide(this.environment.id, snapshot, row)
    const isSame =
      CanonicalJson.equals(again.decisions, row.decisions) && again.verdict === row.verdict
    if (isSame) return { row, doubts, errors: [] }
    // A row that goes on with other instances keeps its decisions until all rows are evaluated again.
    const isKept =
      before !== undefined &&
      before.row.verdict === row.verdict &&
      CanonicalJson.equals(before.row.decisions, row.decisions)
    if (isKept) return { ...before, row }
    const said = `${row.name} was ${row.verdict}, and comes out ${again.verdict}`
    return doubts.length > 0 || !this.doubting.isWhole
      ? { row, doubts: [...doubts, said], errors: [] }
      : { row, doubts, errors: [said] }
  }

  /**
   * Applies the changes of the next snapshot; a change that does not fit its digest breaks all that follow. Judges it
   * if that is wanted and its entry is shown.
   */
  accept(
    expected: Capsule.ExpectedSnapshot,
    { digest, snapshot }: RecordedRows,
    isWanted: boolean
  ): JudgedSnapshot | undefined {
    const begun = Option.all(expected.begun.map((row) => readRow(row)))
    if (snapshot === undefined || digest === undefined) {
      this.#broken ??= `the entry of snapshot ${expected.index} is not shown`
      if (snapshot === undefined) return undefined
    }
    const isFitting = digestOf(expected) === digest
    const errors = isFitting ? [] : ["its rows differ from the digest in the log"]
    if (!isFitting || Option.isNone(begun))
      this.#broken ??= `the rows of snapshot ${expected.index} are not proved`
    else this.#apply(expected, snapshot, begun.value)
    return isWanted ? this.#judge(snapshot, errors) : undefined
  }

  #apply(
    { ended, unseen }: Capsule.ExpectedSnapshot,
    snapshot: CreatedSnapshot,
    begun: ReadonlyArray<Capsule.ExpectedRow>
  ): void {
    const notSeen = new Set(unseen)
    const next = begun.map((row) => this.#decide(snapshot, row, notSeen))
    const arrived = new Set(NewDeployments.deployed(this.running, begun).map(keyOf))
    this.#arrived = next.filter(({ row }) => arrived.has(keyOf(row)))
    for (const row of ended) this.#rows.delete(keyOf(row))
    for (const standing of next) this.#rows.set(keyOf(standing.row), standing)
  }

  /** The rows that run now. */
  get running(): ReadonlyArray<Capsule.ExpectedRow> {
    return [...this.#rows.values()].map(({ row }) => row)
  }

  #judge(snapshot: CreatedSnapshot, broken: ReadonlyArray<string>): JudgedSnapshot {
    const standings = [...this.#rows.values()]
    const { running } = this
    const { counts, policies, reasons, verdict } = snapshot
    const claim = claimOf(this.environment, snapshot, running.length)
    const doubts = new Set(this.doubting.ofSnapshot(this.environment.id, snapshot))
    const errors = new Set(broken)
    if (this.#broken !== undefined) {
      if (broken.length === 0) doubts.add(this.#broken)
      const standing = { doubts: [...doubts], errors: [...errors] }
      return { claim, snapshot, running, arrived: [], hasRows: false, ...standing }
    }
    for (const row of standings) {
      for (const doubt of row.doubts) doubts.add(doubt)
      for (const error of row.errors) errors.add(error)
    }
    const again = SnapshotCounts.count(running)
    const hasPolicies = policies.some(isEnforced)
    if (!CanonicalJson.equals(again, counts)) errors.add("its counts are not those of its rows")
    if (SnapshotCounts.verdictOf(again, { hasPolicies, reasons }) !== verdict)
      errors.add("its verdict does not follow from its rows")
    const standing = { doubts: [...doubts], errors: [...errors] }
    return { claim, snapshot, running, arrived: this.#arrived, hasRows: true, ...standing }
  }
}
