/** Notes how many records of a list are damaged. */

/** Renders nothing if none is damaged. */
export const DamagedNote = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <p class="note note-problem" role="status">
      {count === 1
        ? "One record of this list is damaged in the store and cannot be shown."
        : `${count} records of this list are damaged in the store and cannot be shown.`}
    </p>
  )
