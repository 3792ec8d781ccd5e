/**
 * Every trail of a flow as the text of one list, printed slice by slice while it is sent.
 *
 * `pagination` comes last, so that nothing has to be counted before.
 */
import { TrailSummaryResponse } from "@attestry/api/TrailResponse"
import type { OrgName } from "@attestry/core/Identifier"
import type { TrailSlice } from "@attestry/core/TrailViews"
import * as Stream from "effect/Stream"
import * as DamagedRecordPlaceholder from "../../shared/internal/DamagedRecordPlaceholder.js"
import * as FastEncoder from "../../shared/internal/FastEncoder.js"
import * as TrailResponse from "./TrailResponse.js"

const encode = FastEncoder.make(TrailSummaryResponse.ast)

/** The items of a slice without the brackets of their list, and how many they are. */
const itemsOf = (base: string, org: OrgName, { items, damages }: TrailSlice) => {
  const text = JSON.stringify(items.map((view) => encode(TrailResponse.summaryOf(base, org, view))))
  return {
    text: DamagedRecordPlaceholder.put(text, damages).slice(1, -1),
    count: items.length + damages.length
  }
}

const endOf = (total: number): string =>
  `],"pagination":${JSON.stringify({
    total,
    page: 1,
    per_page: total,
    page_count: total === 0 ? 0 : 1
  })}}`

/** The list in UTF-8. */
export const print = <E>(
  base: string,
  org: OrgName,
  slices: Stream.Stream<TrailSlice, E>
): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    let total = 0
    const printed = Stream.map(slices, (slice) => {
      const { text, count } = itemsOf(base, org, slice)
      const start = total === 0 ? '{"data":[' : ","
      total += count
      return count === 0 && start === "," ? "" : start + text
    })
    return printed.pipe(
      Stream.concat(Stream.suspend(() => Stream.succeed(endOf(total)))),
      Stream.encodeText
    )
  })
