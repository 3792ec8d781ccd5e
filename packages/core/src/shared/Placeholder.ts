/**
 * Placeholders of proposed commands: `<PULL_REQUEST_NUMBER>` stands where a person must write a value.
 *
 * Evidence that still has one is refused. WHY so narrow: `<` is legitimate in titles, messages, names of test suites
 * and data of clients, so only a whole text counts, and within an address, where `<` cannot stand. SPEC §2.15
 * WHY without effects: pages import it, and Effect would be most of what they load.
 */

const WHOLE = /^<[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*>$/
const WITHIN = /<[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*>/

/** The placeholder of a word such as `RESULTS_FILE`. */
export const of = (word: Uppercase<string>): string => `<${word}>`

/** Whether a text is a placeholder and nothing else. */
export const is = (text: string): boolean => WHOLE.test(text)

/** Whether an address still has a placeholder in it. */
export const isWithin = (address: string): boolean => WITHIN.test(address)

/** The problem of a text that is a placeholder, as a sentence. */
export const PROBLEM = "Input is a placeholder, write the value in its place"
