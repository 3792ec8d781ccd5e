/** Replay rules for spaces, for places of things, and for grants. Pure. */
import type { Columns } from "../AuditStore.js"
import { all, type Change, textOf, whole } from "./ReplayState.js"

/** Ends the time that lasts, of those that fit. */
const endOpen = (
  times: Map<string, Columns>,
  to_at: unknown,
  isWanted: (time: Columns) => boolean
): void => {
  for (const [key, time] of times) {
    if (time.to_at === null && isWanted(time)) times.set(key, { ...time, to_at })
  }
}

const spaceKey = ({ from_at, id }: Columns): string => `${id} ${from_at}`

/** A space is made, or deleted: its state begins, or has ended. */
const spaceState: Change = (state, _entry, content) => {
  state.table("space").set(spaceKey(content), content)
}

/** A state of a space ends, and the next one begins. */
const spaceChanged: Change = (state, entry, content) => {
  endOpen(state.table("space"), content.from_at, ({ id }) => id === content.id)
  spaceState(state, entry, content)
}

/** A thing comes into a space, or goes back to the root, which has the id of the org and no times. */
const thingPlaced: Change = (state, { org_id }, { from, from_at, kind, thing_id, to }) => {
  const times = state.table("thing_place")
  if (from !== org_id)
    endOpen(times, from_at, (time) => time.kind === kind && time.thing_id === thing_id)
  if (to === org_id) return
  const time = { org_id, kind, thing_id, space_id: to, from_at, to_at: null }
  times.set(`${textOf(kind)} ${textOf(thing_id)} ${from_at}`, time)
}

/** A grant is given, or was ended. */
const grant: Change = (state, _entry, content) => {
  state.table("grant").set(String(content.number), content)
}

/** The rules by kind of entry. */
export const CHANGES: { readonly [kind: string]: Change } = {
  ...all(["space_created", "space_deleted"], spaceState),
  space_changed: spaceChanged,
  thing_placed: thingPlaced,
  placement_rules_set: whole("placement_rule", "org_id"),
  ...all(["grant_given", "grant_ended"], grant)
}
