/** The part of `pg-copy-streams` that is used; the package has no types of its own. */
declare module "pg-copy-streams" {
  import type { Readable, Writable } from "node:stream"
  import type { Submittable } from "pg"

  /** A query that runs COPY … TO STDOUT, and gives the copied data. */
  export const to: (text: string) => Readable & Submittable

  /** A query that runs COPY … FROM STDIN, and takes the data to copy. */
  export const from: (text: string) => Writable & Submittable
}
