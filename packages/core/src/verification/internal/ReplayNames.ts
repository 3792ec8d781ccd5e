/** Rules for the names that flows and environments had: which of them still lead there. Pure. */
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns } from "../TableAuditStore.js"
import { type Change, type State, textOf } from "./ReplayState.js"

type Former = "flow_former_name" | "environment_former_name"

/** A name is taken: it no longer leads to its earlier owner. */
const take = (state: State, table: Former, name: string): void => {
  const before = state.table(table).get(name)
  state.table(table).delete(name)
  // A name that is given up while another flow waits for it may stay; nothing reads it then.
  if (before !== undefined) state.optional(table).set(name, before)
}

const lead = (state: State, table: Former, row: Columns): void => {
  const name = textOf(row.name)
  state.optional(table).delete(name)
  state.table(table).set(name, row)
}

/** A flow begins with its name. */
export const flowCreated: Change = (state, _entry, { name }) =>
  take(state, "flow_former_name", textOf(name))

/** INVARIANT of both: they are applied before the flow changes, so that its old name is known. */
const before = (state: State, { id }: Columns): string =>
  textOf(state.table("flow").get(textOf(id))?.name)

/** A renamed flow is still found by its old name. */
export const flowRenamed: Change = (state, { org_id }, flow) => {
  const old = before(state, flow)
  take(state, "flow_former_name", textOf(flow.name))
  lead(state, "flow_former_name", { org_id, name: old, flow_id: flow.id })
}

/** An archived flow is found by none of its names. */
export const flowArchived: Change = (state, _entry, flow) => {
  take(state, "flow_former_name", textOf(flow.name))
  const names = state.table("flow_former_name")
  for (const [name, { flow_id }] of names) if (flow_id === flow.id) names.delete(name)
}

/** An environment begins with its name. */
export const environmentCreated: Change = (state, _entry, { name }) =>
  take(state, "environment_former_name", textOf(name))

/** A renamed or archived environment is still found by its old name. */
export const environmentRenamed: Change = (
  state,
  { org_id, subject }: JournalEntry,
  environment
) => {
  const name = textOf(state.table("environment").get(subject.id)?.name)
  take(state, "environment_former_name", textOf(environment.name))
  lead(state, "environment_former_name", { org_id, name, environment_id: subject.id })
}
