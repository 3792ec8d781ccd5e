/** Lists may have a placeholder for a record that the store cannot read: it is counted, and the others are shown. */

/** Whether an item stands for a damaged record. */
export const isDamaged = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "damaged_record" in item

/** The items that can be shown, and how many cannot. */
export const readable = <A>(
  items: ReadonlyArray<A>
): { readonly items: ReadonlyArray<A>; readonly damaged: number } => {
  const shown = items.filter((item) => !isDamaged(item))
  return { items: shown, damaged: items.length - shown.length }
}
