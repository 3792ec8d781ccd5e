/** The headers of a request as they arrived. */

/** Every value of a header. WHY the raw headers: the parsed ones drop repeated values. */
export const headerValues = (raw: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const values: Array<string> = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const candidate = raw[index]
    const value = raw[index + 1]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) {
      values.push(value ?? "")
    }
  }
  return values
}
