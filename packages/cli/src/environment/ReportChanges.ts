/** Loads the changes that a report caused: the changed rows of the new snapshot, and the previous verdict. */
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"

/** The snapshot before the one that the report created. */
export interface Before {
  readonly snapshot_index: number
  readonly compliant: boolean | null
}

/** The changes that a report made. */
export interface Changed {
  /** The changed rows. */
  readonly changes: ReadonlyArray<Json.Fields>
  /** Null without a change or an earlier report. */
  readonly before: Before | null
}

const VERDICTS: ReadonlyMap<unknown, boolean | null> = new Map([
  ["Compliant", true],
  ["NonCompliant", false],
  ["Unknown", null]
])

const readBefore = async (
  { api }: CommandContext,
  environment: string,
  index: number
): Promise<Before | null> => {
  if (index < 1) return null
  const { verdict: said } = Json.object(
    await (await api()).call("snapshot.rows", {
      path: { env_name: environment, snapshot_expression: String(index) },
      urlParams: { per_page: 0 }
    })
  )
  const compliant = VERDICTS.get(said)
  return compliant === undefined ? null : { snapshot_index: index, compliant }
}

const readChanges = async (
  context: CommandContext,
  environment: string,
  index: number
): Promise<Changed> => {
  const path = { env_name: environment, snapshot_expression: String(index) }
  const snapshot = await (await context.api()).call("snapshot.get", { path })
  const before = await readBefore(context, environment, index - 1)
  const changes = Json.objects(Json.object(snapshot).artifacts).filter(
    (row) => Json.object(row.annotation).type !== "unchanged"
  )
  return { changes, before }
}

/** The value without a change. */
export const NOTHING: Changed = { changes: [], before: null }

/** Loads the changes; returns `NOTHING` if the key may not read them. */
export const read = async (
  context: CommandContext,
  environment: string,
  { changed, snapshot_index: index }: Json.Fields
): Promise<Changed> => {
  const { output } = context
  if (changed !== true || typeof index !== "number" || output.options.isQuiet) return NOTHING
  try {
    return await readChanges(context, environment, index)
  } catch (error) {
    // WHY: the report is accepted, and a key that may only report cannot read snapshots.
    output.trace(`the changes are not shown: ${error}`)
    return NOTHING
  }
}
