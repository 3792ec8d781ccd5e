/** Saves content that the page has as a file of the person, by a download. */

/** Long enough for the browser to begin the download. */
const REVOKE_MS = 1_000

export const save = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS)
}
