/** What a report changed: the rows of the new snapshot, and the verdict of the one before. */
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"

/** The snapshot before the one that a report made. */
export interface Before {
  readonly snapshot_index: number
  readonly compliant: boolean | null
}

/** What a report changed. */
export interface Changed {
  /** The rows that are not as before. */
  readonly changes: ReadonlyArray<Json.Fields>
  /** Null where nothing changed, or nothing was reported before. */
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

/** No change. */
export const NOTHING: Changed = { changes: [], before: null }

/** What changed; nothing where the key may not read it. */
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
    // WHY: the report is accepted; a key that only reports may not read what changed.
    output.trace(`the changes are not shown: ${error}`)
    return NOTHING
  }
}
