/** The members of an audit package, one after another, as the bytes of a tar file with its manifest. SPEC §4.21 */
import { Secrets } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Tar from "./Tar.js"

/** A file of a package. */
export interface Member<E> {
  readonly name: string
  readonly size: number
  /** The SHA-256 of its content, in hexadecimal. */
  readonly sha256: string
  /** As many bytes as `size` says. */
  readonly content: Stream.Stream<Uint8Array, E>
}

/** A file as the manifest lists it. */
export type ListedMember = Pick<Member<never>, "name" | "size" | "sha256">

/** The fields of a package beside its members. */
export interface PackageEnd {
  /** The time of every member, in seconds since the epoch. */
  readonly modifiedAt: number
  /** The member before the manifest, made when all others are sent. */
  readonly page: () => Effect.Effect<Member<never>>
  /** The manifest, made of all members before it. */
  readonly manifest: (members: ReadonlyArray<ListedMember>) => Effect.Effect<Member<never>>
}

/** Makes members of texts, values and bytes. */
export interface Maker {
  readonly text: (name: string, content: string) => Effect.Effect<Member<never>>
  readonly json: (name: string, value: unknown) => Effect.Effect<Member<never>>
  readonly bytes: (name: string, content: Uint8Array) => Effect.Effect<Member<never>>
}

/** Makes members of texts, values and bytes. */
export const make: Effect.Effect<Maker, never, Secrets> = Effect.map(Secrets, ({ digest }) => {
  const bytes = (name: string, content: Uint8Array): Effect.Effect<Member<never>> =>
    Effect.map(digest(content), (sha256) => ({
      name,
      size: content.byteLength,
      sha256,
      content: Stream.succeed(content)
    }))
  const text = (name: string, content: string): Effect.Effect<Member<never>> =>
    bytes(name, new TextEncoder().encode(content))
  return { bytes, text, json: (name, value) => text(name, `${JSON.stringify(value, null, 2)}\n`) }
})

/** The bytes of a package: the members, the page, the manifest, and the end of the archive. */
export const pack = <E>(
  members: Stream.Stream<Member<E>, E>,
  { modifiedAt, page, manifest }: PackageEnd
): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    const listed: Array<ListedMember> = []
    const bytesOf = ({ name, size, sha256, content }: Member<E>): Stream.Stream<Uint8Array, E> => {
      listed.push({ name, size, sha256 })
      const start = Stream.succeed(Tar.header({ name, size, modifiedAt }))
      return Stream.concat(Stream.concat(start, content), Stream.succeed(Tar.padding(size)))
    }
    return members.pipe(
      Stream.concat(Stream.fromEffect(Effect.suspend(page))),
      Stream.concat(Stream.fromEffect(Effect.suspend(() => manifest(listed)))),
      Stream.flatMap(bytesOf),
      Stream.concat(Stream.succeed(Tar.END)),
      Stream.filter((piece) => piece.byteLength > 0)
    )
  })
