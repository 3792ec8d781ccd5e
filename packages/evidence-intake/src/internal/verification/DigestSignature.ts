/**
 * Whether an ECDSA signature is over a digest, for files that are not at hand.
 *
 * `node:crypto` hashes what it verifies. So the equation of ECDSA is solved with its Diffie-Hellman: the signature
 * (r, s) of the digest e by the key Q holds if r is the first coordinate of (r / s) · (Q + (e / r) · G).
 */
import { createECDH, type KeyObject } from "node:crypto"
import { ASN1Obj } from "@sigstore/core"

interface Curve {
  readonly name: string
  readonly bits: number
  /** The prime of the field. */
  readonly p: bigint
  /** The order of the generator. */
  readonly n: bigint
}

const CURVES: ReadonlyArray<Curve> = [
  {
    name: "prime256v1",
    bits: 256,
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  },
  {
    name: "secp384r1",
    bits: 384,
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    n: BigInt(
      "0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"
    )
  }
]

/** A digest and the signature over it. */
export interface Signed {
  readonly digest: Uint8Array
  readonly signature: Uint8Array
}

interface Point {
  readonly x: bigint
  readonly y: bigint
}

const modulo = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

/** The inverse of a value that is not 0, by Euclid's algorithm. */
const inverse = (value: bigint, prime: bigint): bigint => {
  let [left, right] = [modulo(value, prime), prime]
  let [ofLeft, ofRight] = [1n, 0n]
  while (right !== 0n) {
    const quotient = left / right
    ;[left, right] = [right, left - quotient * right]
    ;[ofLeft, ofRight] = [ofRight, ofLeft - quotient * ofRight]
  }
  return modulo(ofLeft, prime)
}

/** The sum of two points; null for the point at infinity. The curves have the coefficient -3. */
const add = (a: Point, b: Point, p: bigint): Point | null => {
  const isDouble = a.x === b.x
  if (isDouble && (a.y !== b.y || a.y === 0n)) return null
  const slope = isDouble
    ? (3n * a.x * a.x - 3n) * inverse(2n * a.y, p)
    : (b.y - a.y) * inverse(b.x - a.x, p)
  const x = modulo(slope * slope - a.x - b.x, p)
  return { x, y: modulo(slope * (a.x - x) - a.y, p) }
}

const toBytes = (value: bigint, { bits }: Curve): Buffer =>
  Buffer.from(value.toString(16).padStart(bits / 4, "0"), "hex")

const toInteger = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`)

/** A point without compression: the byte 4 and both coordinates. */
const encode = (point: Point, curve: Curve): Buffer =>
  Buffer.concat([Buffer.of(4), toBytes(point.x, curve), toBytes(point.y, curve)])

const decode = (bytes: Buffer, { bits }: Curve): Point => ({
  x: toInteger(bytes.subarray(1, 1 + bits / 8)),
  y: toInteger(bytes.subarray(1 + bits / 8))
})

/** `factor · G`. */
const timesGenerator = (factor: bigint, curve: Curve): Point => {
  const ecdh = createECDH(curve.name)
  ecdh.setPrivateKey(toBytes(factor, curve))
  return decode(ecdh.getPublicKey(), curve)
}

/** The first coordinate of `factor · point`. */
const firstOfTimes = (factor: bigint, point: Point, curve: Curve): bigint => {
  const ecdh = createECDH(curve.name)
  ecdh.setPrivateKey(toBytes(factor, curve))
  return toInteger(ecdh.computeSecret(encode(point, curve)))
}

const pointOf = (key: KeyObject, curve: Curve): Point => {
  const der = key.export({ format: "der", type: "spki" })
  return decode(der.subarray(-(1 + curve.bits / 4)), curve)
}

/** The digest as a number; bits beyond the length of the curve are dropped. */
const numberOf = (digest: Uint8Array, { bits }: Curve): bigint => {
  const excess = Math.max(0, digest.length * 8 - bits)
  return toInteger(digest) >> BigInt(excess)
}

/** A positive integer in DER. */
const derInteger = (value: bigint): Buffer => {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
  const sign = (bytes[0] ?? 0) < 0x80 ? [] : [0]
  return Buffer.from([0x02, sign.length + bytes.length, ...sign, ...bytes])
}

/** The one encoding of a signature in DER; it is shorter than 128 bytes on these curves. */
const derSignature = (r: bigint, s: bigint): Buffer => {
  const content = Buffer.concat([derInteger(r), derInteger(s)])
  return Buffer.concat([Buffer.of(0x30, content.length), content])
}

const isSolved = (key: KeyObject, curve: Curve, { digest, signature: bytes }: Signed): boolean => {
  const signature = Buffer.from(bytes)
  const [r, s] = ASN1Obj.parseBuffer(signature).subs.map((part) => part.toInteger())
  const { n, p } = curve
  if (r === undefined || s === undefined || r < 1n || r >= n || s < 1n || s >= n) return false
  // WHY: the parser accepts other tags and padding, so that two byte strings would be one signature.
  if (!derSignature(r, s).equals(signature)) return false
  const offset = modulo(numberOf(digest, curve) * inverse(r, n), n)
  const signer = pointOf(key, curve)
  const sum = offset === 0n ? signer : add(signer, timesGenerator(offset, curve), p)
  return sum !== null && modulo(firstOfTimes(modulo(r * inverse(s, n), n), sum, curve), n) === r
}

const curveOf = (key: KeyObject): Curve | undefined =>
  CURVES.find(({ name }) => name === key.asymmetricKeyDetails?.namedCurve)

/** Whether signatures of a key can be verified with a digest: keys of ECDSA over P-256 and P-384. */
export const isSupported = (key: KeyObject): boolean => curveOf(key) !== undefined

/** Whether the signature in DER over the digest is by the key. */
export const holds = (key: KeyObject, signed: Signed): boolean => {
  const curve = curveOf(key)
  if (curve === undefined) return false
  try {
    return isSolved(key, curve, signed)
  } catch {
    // WHY: a signature that is no pair of integers in DER, and a sum that is no point, make the libraries throw.
    return false
  }
}
