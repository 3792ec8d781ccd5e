/** `attestry diff A B`: the rows that two snapshots add, remove and change. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as SnapshotArgument from "./SnapshotArgument.js"

const instances = (count: unknown): string =>
  count === undefined || count === null ? "" : `${count} instance${count === 1 ? "" : "s"}`

const rowsOf = (sign: string, artifacts: ReadonlyArray<Json.Fields>, style: Style) =>
  artifacts.map(({ name, fingerprint, hidden, instance_count, flow }) => [
    sign,
    style.text(name),
    style.short(fingerprint),
    instances(instance_count),
    hidden === true ? "hidden" : style.text(flow)
  ])

const changedRows = (artifacts: ReadonlyArray<Json.Fields>, style: Style) =>
  artifacts.map(({ name, fingerprint, s1_instance_count, s2_instance_count }) => [
    "~",
    style.text(name),
    style.short(fingerprint),
    `${s1_instance_count} to ${s2_instance_count} instances`,
    ""
  ])

/** Runs `attestry diff`. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const [first = "", second = ""] = args.positionals
  for (const text of [first, second]) SnapshotArgument.parse(text)
  const answer = Json.object(
    await (await api()).call("snapshot.compare", {
      urlParams: { snappish1: first, snappish2: second }
    })
  )
  const of = (side: string) => Json.objects(Json.object(answer[side]).artifacts)
  const [left, came, changed] = [of("snappish1"), of("snappish2"), of("changed")]
  const same = of("not-changed")
  const differs = left.length + came.length + changed.length > 0
  return {
    exit: differs && args.has("exit-code") ? "no" : "done",
    value: answer,
    quiet: differs ? "DIFFERENT" : "SAME",
    lines: (style) => [
      ...Table.lines([
        ...rowsOf("-", left, style),
        ...rowsOf("+", came, style),
        ...changedRows(changed, style),
        ...rowsOf("=", args.has("show-unchanged") ? same : [], style)
      ]),
      `${left.length} left, ${came.length} came, ${changed.length} changed, ${same.length} as before`
    ]
  }
}
