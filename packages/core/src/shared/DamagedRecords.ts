/**
 * Records of a list that a store could not read, and that the list goes on without. DECISION A-19, B-111
 *
 * Only whoever shows a list to somebody asks for this, and says where the records would have stood; to
 * everybody else, above all to whoever decides by what is stored, one damaged record is a failure.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Where a damaged record would have stood. */
export interface Damage {
  readonly position: number
  /** Whether the position counts from the beginning of the list, or of the page that was asked for. */
  readonly from: "list" | "page"
}

/** What the list under way had to go on without; undefined where nobody has asked for that. */
export class DamagedRecords extends Context.Reference<DamagedRecords>()(
  "@attestry/core/DamagedRecords",
  { defaultValue: (): Array<Damage> | undefined => undefined }
) {}

/** Work for which one damaged record is a failure, also on behalf of whoever shows a list. */
export const strictly = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, DamagedRecords, undefined)

/** Reads what the items of a list are shown with: what is damaged of it is left out, and so are they (`show`). */
export const beside = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(DamagedRecords, (noted) =>
    noted === undefined ? read : Effect.provideService(read, DamagedRecords, [])
  )

/** Reads records that say something only together: nothing, where any of them had to be left out. */
export const whole = <A, E, R>(
  read: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.flatMap(DamagedRecords, (asked) => {
    if (asked === undefined) return Effect.asSome(read)
    const noted: Array<Damage> = []
    return Effect.map(Effect.provideService(read, DamagedRecords, noted), (found) =>
      noted.length === 0 ? Option.some(found) : Option.none()
    )
  })

/** The items as they are shown; one that cannot be, for want of something beside it, counts as damaged. */
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
