/** Repeats a read once after a broken connection: a server may close an idle connection at its reuse. */

const BROKEN = ["ECONNRESET", "EPIPE"]

const isBroken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && BROKEN.includes(String(error.code))

/** The answer to a read, from the second attempt if the first connection broke. */
export const repeatOnce = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    if (isBroken(error)) return read()
    throw error
  }
}
