/**
 * A matrix of trails and their attestations: a row per trail, a column per attestation, and each column's share of
 * compliant cells.
 *
 * Columns come from the statuses of the trails: first the expected attestations of the newest trails, then names that
 * no template has.
 */
import type { AttestationStatus, TrailSummary } from "../shared/Contract.js"
import type { Verdict } from "../shared/Verdict.js"

/** The group for attestations of the trail itself. */
export const TRAIL_GROUP = ""

/** A column: an attestation of the trail or of a slot, or whether a slot has an artifact. */
export interface MatrixColumn {
  readonly key: string
  readonly name: string
  readonly isUnexpected: boolean
}

/** The columns of the trail itself, or of one slot. */
export interface MatrixGroup {
  /** The name of the slot; `TRAIL_GROUP` for the trail. */
  readonly slot: string
  readonly columns: ReadonlyArray<MatrixColumn>
}

export interface MatrixCell {
  readonly verdict: Verdict
  readonly isUnexpected: boolean
  readonly isOverridden: boolean
  readonly attestationId: string | undefined
  readonly fingerprint: string | undefined
}

/** A trail with its cells, by column key. */
export interface MatrixRow {
  readonly trail: TrailSummary
  readonly cells: ReadonlyMap<string, MatrixCell>
}

export interface Matrix {
  readonly groups: ReadonlyArray<MatrixGroup>
  readonly rows: ReadonlyArray<MatrixRow>
  /** Each column's share of compliant cells, from 0 to 1. */
  readonly shares: ReadonlyMap<string, number>
  /** The share of compliant trails. */
  readonly share: number
}

const keyOf = (slot: string, name: string): string => JSON.stringify([slot, name])

/** The key of the artifact column of a slot. INVARIANT: no attestation has an empty name. */
const builtKey = (slot: string): string => keyOf(slot, "")

export const verdictOf = ({ status, is_compliant }: AttestationStatus): Verdict => {
  if (status === "MISSING") return "missing"
  return is_compliant === true ? "compliant" : "non-compliant"
}

const cellOf = (entry: AttestationStatus): MatrixCell => ({
  verdict: verdictOf(entry),
  isUnexpected: entry.unexpected,
  isOverridden: entry.overridden_attestation_id !== null,
  attestationId: entry.attestation_id ?? undefined,
  fingerprint: undefined
})

interface Placed {
  readonly slot: string
  readonly name: string
  readonly cell: MatrixCell
}

const placedOf = ({ compliance_status }: TrailSummary): ReadonlyArray<Placed> => [
  ...compliance_status.attestations_statuses.map((entry) => ({
    slot: TRAIL_GROUP,
    name: entry.attestation_name,
    cell: cellOf(entry)
  })),
  ...Object.entries(compliance_status.artifacts_statuses).flatMap(([slot, status]) => [
    {
      slot,
      name: "",
      cell: {
        verdict:
          status.artifact_fingerprint === null ? ("missing" as const) : ("compliant" as const),
        isUnexpected: status.unexpected,
        isOverridden: false,
        attestationId: undefined,
        fingerprint: status.artifact_fingerprint ?? undefined
      }
    },
    ...status.attestations_statuses.map((entry) => ({
      slot,
      name: entry.attestation_name,
      cell: cellOf(entry)
    }))
  ])
]

/** Sorts expected columns before unexpected ones. The sort is stable, so the newest trail's order remains. */
const expectedFirst = <A extends { readonly isUnexpected: boolean }>(
  items: ReadonlyArray<A>
): ReadonlyArray<A> => [...items].sort((a, b) => Number(a.isUnexpected) - Number(b.isUnexpected))

const groupsOf = (all: ReadonlyArray<Placed>): ReadonlyArray<MatrixGroup> => {
  const bySlot = new Map<string, Map<string, MatrixColumn>>([[TRAIL_GROUP, new Map()]])
  for (const { slot, name, cell } of all) {
    const columns = bySlot.get(slot) ?? new Map<string, MatrixColumn>()
    const known = columns.get(name)
    columns.set(name, {
      key: keyOf(slot, name),
      name,
      isUnexpected: cell.isUnexpected && (known?.isUnexpected ?? true)
    })
    bySlot.set(slot, columns)
  }
  const groups = [...bySlot].flatMap(([slot, columns]) => {
    const built = columns.get("")
    const others = expectedFirst([...columns.values()].filter(({ name }) => name !== ""))
    const own = built === undefined ? others : [{ ...built, key: builtKey(slot) }, ...others]
    return own.length === 0
      ? []
      : [{ slot, columns: own, isUnexpected: built?.isUnexpected === true }]
  })
  return expectedFirst(groups).map(({ slot, columns }) => ({ slot, columns }))
}

/** Of two entries with the same name, the worse one is shown. */
const worse = (a: MatrixCell | undefined, b: MatrixCell): MatrixCell =>
  a === undefined || a.verdict === "compliant" ? b : a

const shareOf = (cells: ReadonlyArray<MatrixCell>): number =>
  cells.length === 0
    ? 0
    : cells.filter(({ verdict }) => verdict === "compliant").length / cells.length

/** The matrix of trails, in their order. */
export const matrixOf = (trails: ReadonlyArray<TrailSummary>): Matrix => {
  const rows = trails.map((trail) => {
    const cells = new Map<string, MatrixCell>()
    for (const { slot, name, cell } of placedOf(trail)) {
      const key = keyOf(slot, name)
      cells.set(key, worse(cells.get(key), cell))
    }
    return { trail, cells }
  })
  const groups = groupsOf(trails.flatMap(placedOf))
  const shares = new Map(
    groups
      .flatMap(({ columns }) => columns)
      .map(({ key }) => [key, shareOf(rows.flatMap(({ cells }) => cells.get(key) ?? []))] as const)
  )
  const compliant = trails.filter(({ compliance_state }) => compliance_state === "COMPLIANT").length
  return { groups, rows, shares, share: trails.length === 0 ? 0 : compliant / trails.length }
}

/** A share in whole percent; only a complete share is 100 %. */
export const percent = (share: number): string =>
  `${share === 1 ? 100 : Math.min(99, Math.round(share * 100))} %`
