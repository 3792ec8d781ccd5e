/**
 * Damaged records that a list is returned without. DECISIONS.md, "A damaged record never fails a list"
 *
 * Only reads for display provide this service and report the positions of damaged records; for all other reads,
 * above all for decisions, a damaged record is a failure.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A stored row that cannot be read, and its first column that has a value which it can never have. */
export interface DamagedRow {
  /** Whether it is an entry of the journal, a part of a log, or an org. */
  readonly kind: "entry" | "log" | "org"
  /** Its table, as the store calls it. */
  readonly table: string
  readonly key: string
  readonly column: string
}

/** The position of a damaged record. */
export interface Damage {
  readonly position: number
  /** Whether the position counts from the beginning of the list, or of the page. */
  readonly from: "list" | "page"
}

/** The store refused to compute with a stored value, such as a text that is no number: the value is damaged. */
export class UnreadableValue extends Error {
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : "a stored value cannot be read")
  }
}

/**
 * The damaged records of the current read; undefined where a damaged record is a failure.
 *
 * Contract of a store, which `DamagedRecordsSuite` tests: a method that lists records and finds one that it cannot read
 * fails, unless this is provided. Then it leaves the record out and adds its position; totals and cursors count the
 * record. A store whose records cannot become unreadable adds nothing.
 */
export class DamagedRecords extends Context.Reference<DamagedRecords>()(
  "@attestry/core/DamagedRecords",
  { defaultValue: (): Array<Damage> | undefined => undefined }
) {}

/**
 * The rows that a read of verification has left out because they cannot be read; undefined for all other reads, for
 * which such a row is a failure or a damaged record. A store adds the name of each row that it leaves out.
 */
export class UnreadableRows extends Context.Reference<UnreadableRows>()(
  "@attestry/core/UnreadableRows",
  { defaultValue: (): Array<DamagedRow> | undefined => undefined }
) {}

/** What a read gives, and the rows that it has left out because they cannot be read. */
export const noting = <A, E, R>(
  read: Effect.Effect<A, E, R>
): Effect.Effect<readonly [found: A, unreadable: ReadonlyArray<DamagedRow>], E, R> =>
  Effect.suspend(() => {
    const noted: Array<DamagedRow> = []
    return Effect.map(Effect.provideService(read, UnreadableRows, noted), (found) => [found, noted])
  })

/** Work for which a damaged record is a failure, also inside a read for display. */
export const strictly = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, DamagedRecords, undefined)

/** Reads what belongs to the items of a list; damaged parts are left out, and `show` leaves out their items. */
export const beside = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(DamagedRecords, (noted) =>
    noted === undefined ? read : Effect.provideService(read, DamagedRecords, [])
  )

/** Reads records that are valid only together: none when one of them is damaged. */
export const whole = <A, E, R>(
  read: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.flatMap(DamagedRecords, (damaged) => {
    if (damaged === undefined) return Effect.asSome(read)
    const noted: Array<Damage> = []
    return Effect.map(Effect.provideService(read, DamagedRecords, noted), (found) =>
      noted.length === 0 ? Option.some(found) : Option.none()
    )
  })

/** The items to show; an item without its part counts as damaged. */
export const show = <A, B>(
  items: ReadonlyArray<A>,
  view: (item: A) => B | undefined
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.map(DamagedRecords, (noted) =>
    items.flatMap((item, position) => {
      const shown = view(item)
      if (shown !== undefined) return [shown]
      noted?.push({ position, from: "page" })
      return []
    })
  )
