/** Packs the members of a capsule: their digests, and their bytes in the file. */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Capsule from "../Capsule.js"
import * as CapsuleArchive from "../CapsuleArchive.js"
import type { Host, Packer } from "../CapsuleHost.js"

/** A member with its bytes in the file, which may be read while they are sent. */
export interface Packed<E> {
  readonly member: CapsuleArchive.PackedMember
  readonly listed: Capsule.Member
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/** Sums of bytes that pass. */
class Sums {
  readonly #digest = Sha256.begin()
  size = 0
  checksum = 0

  add(bytes: Uint8Array): void {
    this.#digest.update(bytes)
    this.checksum = CapsuleArchive.checksum(this.checksum, bytes)
    this.size += bytes.byteLength
  }

  get sha256(): string {
    return Base64.encodeHex(this.#digest.digest())
  }
}

const counted = <E>(content: Stream.Stream<Uint8Array, E>, sums: Sums) =>
  Stream.tap(content, (bytes) => Effect.sync(() => sums.add(bytes)))

/** The packed form of a content; the content itself without a packer. */
const packedBy = <E>(content: Stream.Stream<Uint8Array, E>, packer: Packer | undefined) =>
  packer === undefined
    ? content
    : content.pipe(Stream.mapEffect(packer.add), Stream.concat(Stream.fromEffect(packer.end)))

/** Packs a content into memory. */
export const pack = <E>(name: string, content: Stream.Stream<Uint8Array, E>, { deflate }: Host) =>
  Effect.gen(function* () {
    const [sums, packedSums] = [new Sums(), new Sums()]
    const packer = Option.isSome(deflate) ? yield* deflate.value : undefined
    const chunks = yield* Stream.runCollect(
      counted(packedBy(counted(content, sums), packer), packedSums)
    )
    const { checksum, sha256, size } = sums
    const packed: Packed<never> = {
      member: {
        name,
        isDeflated: packer !== undefined,
        checksum,
        size,
        packedSize: packedSums.size
      },
      listed: { name, sha256, size, packed: packedSums.sha256 },
      bytes: Stream.fromIterable(chunks)
    }
    return packed
  })

/** A member that is stored as it is, and small. */
export const stored = (name: string, text: string): Packed<never> => {
  const [bytes, sums] = [Sha256.utf8(text), new Sums()]
  sums.add(bytes)
  const { checksum, sha256, size } = sums
  return {
    member: { name, isDeflated: false, checksum, size, packedSize: size },
    listed: { name, sha256, size, packed: sha256 },
    bytes: Stream.make(bytes)
  }
}

/** A file, which is read now for its sums, and again while it is sent. */
export const file = <E>(name: string, bytes: Stream.Stream<Uint8Array, E>) =>
  Effect.gen(function* () {
    const sums = new Sums()
    yield* Stream.runDrain(counted(bytes, sums))
    const { checksum, sha256, size } = sums
    const packed: Packed<E> = {
      member: { name, isDeflated: false, checksum, size, packedSize: size },
      listed: { name, sha256, size, packed: sha256 },
      bytes
    }
    return packed
  })

/** The bytes of a file with these members. */
export const toStream = <E>(members: ReadonlyArray<Packed<E>>): Stream.Stream<Uint8Array, E> =>
  Stream.fromIterable(members).pipe(
    Stream.flatMap(({ bytes, member }) =>
      Stream.concat(Stream.make(CapsuleArchive.header(member)), bytes)
    ),
    Stream.concat(Stream.sync(() => CapsuleArchive.directory(members.map(({ member }) => member))))
  )
