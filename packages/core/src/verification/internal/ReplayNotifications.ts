/** Replay rules for notifications: configurations, subscriptions and their targets. Pure. */
import { ERASED } from "../../journal/ErasedMembers.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns } from "../AuditStore.js"
import {
  type Change,
  edit,
  listOf,
  membersOf,
  type State,
  textOf,
  UNRECORDED
} from "./ReplayState.js"

/** The owner of targets: a configuration or a subscription. */
interface Owner {
  readonly notification_type: string | null
  readonly number: unknown
}

/** The address of a target; `UNRECORDED` if it was erased. */
const addressOf = ({ id: _id, context: _context, ...target }: Columns): unknown => {
  const isErased =
    target.webhook === ERASED || (target.type === "EMAIL" && listOf(target.emails).length === 0)
  return isErased ? UNRECORDED : target
}

const putTargets = (
  state: State,
  entry: JournalEntry,
  owner: Owner & { readonly targets: unknown }
) => {
  const { notification_type, number } = owner
  const rows = state.table("notification_target")
  for (const [key, row] of rows) {
    if (row.notification_type === notification_type && row.number === number) rows.delete(key)
  }
  for (const [position, each] of listOf(owner.targets).entries()) {
    const target = membersOf(each)
    rows.set(textOf(target.id), {
      org_id: entry.org_id,
      id: target.id,
      notification_type,
      number,
      position,
      target: addressOf(target),
      context: target.context
    })
  }
}

/** Sets or removes the targets of a configuration. */
export const configured: Change = (state, entry, { notification_type, targets }) => {
  const type = textOf(notification_type)
  state.table("notification_config").set(type, { org_id: entry.org_id, notification_type: type })
  putTargets(state, entry, { notification_type: type, number: null, targets })
}

/** Adds a subscription. Its number is the highest used so far. */
export const subscribed: Change = (state, entry, { targets, ...content }) => {
  const { org_id, actor, at } = entry
  const { number } = content
  state.table("environment_notification").set(String(number), {
    org_id,
    environments: [],
    flows: null,
    team: null,
    ...content,
    created_at: at,
    created_by: actor.name,
    last_modified_at: at
  })
  state.table("last_notification_number").set(org_id, { org_id, last: number })
  putTargets(state, entry, { notification_type: null, number, targets })
}

/** Changes a subscription. */
export const resubscribed: Change = (state, entry, { targets, ...content }) => {
  const { number } = content
  edit(state.table("environment_notification"), String(number), (row) => ({
    ...row,
    ...content,
    last_modified_at: entry.at
  }))
  putTargets(state, entry, { notification_type: null, number, targets })
}

/** Removes a subscription. */
export const unsubscribed: Change = (state, entry, { number }) => {
  state.table("environment_notification").delete(String(number))
  putTargets(state, entry, { notification_type: null, number, targets: [] })
}
