/** A cadence as a count and a unit, for a form. Pure. */

export const UNITS = [
  { name: "days", seconds: 86_400 },
  { name: "hours", seconds: 3_600 },
  { name: "minutes", seconds: 60 },
  { name: "seconds", seconds: 1 }
] as const

export type Unit = (typeof UNITS)[number]["name"]

export interface CadenceField {
  /** Empty for no cadence. */
  readonly count: string
  readonly unit: Unit
}

const NONE: CadenceField = { count: "", unit: "minutes" }

/** The largest unit that counts the seconds without a rest. */
export const fromSeconds = (seconds: number | null): CadenceField => {
  if (seconds === null) return NONE
  const unit = UNITS.find((each) => seconds % each.seconds === 0)
  return unit === undefined ? NONE : { count: String(seconds / unit.seconds), unit: unit.name }
}

/** The seconds of a field; null for no cadence. */
export const toSeconds = ({ count, unit }: CadenceField): number | null => {
  const size = UNITS.find(({ name }) => name === unit)?.seconds ?? 1
  return count.trim() === "" ? null : Number(count) * size
}

/** A cadence for people: `15 minutes`. */
export const textOf = (seconds: number): string => {
  const { count, unit } = fromSeconds(seconds)
  return `${count} ${count === "1" ? unit.slice(0, -1) : unit}`
}
