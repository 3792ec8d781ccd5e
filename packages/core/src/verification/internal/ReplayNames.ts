/** Replay rules for former names of flows and environments: which of them still resolve. Pure. */
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns } from "../AuditStore.js"
import { type Change, type State, textOf } from "./ReplayState.js"

type Former = "flow_former_name" | "environment_former_name"

/** A name gets a new owner, so it stops resolving to the former one. */
const take = (state: State, table: Former, name: string): void => {
  const before = state.table(table).get(name)
  state.table(table).delete(name)
  // WHY optional: if another flow waits for the name while it is given up, the store may keep this row, which nothing
  // reads.
  if (before !== undefined) state.optional(table).set(name, before)
}

const lead = (state: State, table: Former, row: Columns): void => {
  const name = textOf(row.name)
  state.optional(table).delete(name)
  state.table(table).set(name, row)
}

/** A new flow takes its name. */
export const flowCreated: Change = (state, _entry, { name }) =>
  take(state, "flow_former_name", textOf(name))

/** The old name of a flow. INVARIANT: both callers run before the flow changes. */
const before = (state: State, { id }: Columns): string =>
  textOf(state.table("flow").get(textOf(id))?.name)

/** The old name of a renamed flow still resolves. */
export const flowRenamed: Change = (state, { org_id }, flow) => {
  const old = before(state, flow)
  take(state, "flow_former_name", textOf(flow.name))
  lead(state, "flow_former_name", { org_id, name: old, flow_id: flow.id })
}

/** No name of an archived flow resolves. */
export const flowArchived: Change = (state, _entry, flow) => {
  take(state, "flow_former_name", textOf(flow.name))
  const names = state.table("flow_former_name")
  for (const [name, { flow_id }] of names) if (flow_id === flow.id) names.delete(name)
}

/** A new environment takes its name. */
export const environmentCreated: Change = (state, _entry, { name }) =>
  take(state, "environment_former_name", textOf(name))

/** The old name of a renamed or archived environment still resolves. */
export const environmentRenamed: Change = (
  state,
  { org_id, subject }: JournalEntry,
  environment
) => {
  const name = textOf(state.table("environment").get(subject.id)?.name)
  take(state, "environment_former_name", textOf(environment.name))
  lead(state, "environment_former_name", { org_id, name, environment_id: subject.id })
}
