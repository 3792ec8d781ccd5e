/** Repeats a read once whose connection was broken off: a server may close an idle one while it is taken again. */

const BROKEN = ["ECONNRESET", "EPIPE"]

const isBroken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && BROKEN.includes(String(error.code))

/** The answer to a read, of the second attempt where the first was broken off. */
export const repeatOnce = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    if (isBroken(error)) return read()
    throw error
  }
}
