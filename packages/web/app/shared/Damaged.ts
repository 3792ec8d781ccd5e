/** Placeholders for damaged records in lists: they are counted, and the other items are shown. */

/** Whether an item is the placeholder of a damaged record. */
export const isDamaged = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "damaged_record" in item

/** The readable items, and the number of damaged ones. */
export const readable = <A>(
  items: ReadonlyArray<A>
): { readonly items: ReadonlyArray<A>; readonly damaged: number } => {
  const shown = items.filter((item) => !isDamaged(item))
  return { items: shown, damaged: items.length - shown.length }
}
