/** Binary search in sorted lists. */

/** The index of the first item after the given one, which is the number of items before or equal to it. */
export const placeAfter = <A>(
  sorted: ReadonlyArray<A>,
  item: A,
  order: (one: A, other: A) => number
): number => {
  let [first, end] = [0, sorted.length]
  while (first < end) {
    const middle = (first + end) >>> 1
    const other = sorted[middle]
    if (other !== undefined && order(item, other) >= 0) first = middle + 1
    else end = middle
  }
  return first
}

/** The order of numbers. */
export const byValue = (one: number, other: number): number => one - other
