/** Requests as commands: what a page asked, to be repeated in a terminal. The key is a variable, never a value. */
import type { Call } from "../shared/Api.js"
import { quote } from "./ShellWord.js"

/** The command of a request. */
export const curlLine = ({ method, path }: Call, origin: string): string =>
  [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    '-H "Authorization: Bearer $ATTESTRY_API_KEY"',
    quote(`${origin}${path}`)
  ].join(" ")
