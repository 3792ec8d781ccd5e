/** Repeats a read once if its connection broke: a server may close an idle connection just when it is reused. */

const BROKEN = ["ECONNRESET", "EPIPE"]

const isBroken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && BROKEN.includes(String(error.code))

/** Returns the answer of the second attempt if the first connection broke. */
export const repeatOnce = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    if (isBroken(error)) return read()
    throw error
  }
}
