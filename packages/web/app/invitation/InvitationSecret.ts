/** The secret of an invitation in the fragment of an address. Pure. */

/** The secret; a fragment that cannot be decoded stays as it is, and the server refuses it. */
export const decodeSecret = (fragment: string): string => {
  const text = fragment.replace(/^#/, "")
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
