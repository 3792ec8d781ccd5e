/** Cuts the lists of facts: to a number of elements, and to the bytes that facts have room for. */
import { BYTES_MAX } from "@attestry/core/EvidenceFacts"

/** The most bytes of a list of facts as JSON; the rest of `BYTES_MAX` is for the other members. */
export const LIST_BYTES_MAX = (BYTES_MAX / 4) * 3

const encoder = new TextEncoder()

/** The first elements of a list, and the names of the lists that were cut. */
export interface Listed<Element> {
  readonly listed: ReadonlyArray<Element>
  /** For `truncated` of facts. */
  readonly truncated: ReadonlyArray<string>
}

/** The first elements within the limits; `total` counts those too that the list does not have. */
export const cut = <Element>(
  name: string,
  elements: ReadonlyArray<Element>,
  { max, total }: { readonly max: number; readonly total: number }
): Listed<Element> => {
  const listed: Array<Element> = []
  let bytes = 0
  for (const element of elements) {
    bytes += encoder.encode(JSON.stringify(element)).length + 1
    if (listed.length >= max || bytes > LIST_BYTES_MAX) break
    listed.push(element)
  }
  return { listed, truncated: listed.length < total ? [name] : [] }
}
