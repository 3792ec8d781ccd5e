/**
 * A model of public addresses, independent of the implementation: the rows of the IANA special-purpose registries as
 * text, addresses as big integers, without an order of rows.
 */

const special: ReadonlyArray<string> = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
  "2001:0:0:0:0:0:0:0/23",
  "2001:db8:0:0:0:0:0:0/32",
  "2002:0:0:0:0:0:0:0/16",
  "2620:4f:8000:0:0:0:0:0/48",
  "3ffe:0:0:0:0:0:0:0/16",
  "3fff:0:0:0:0:0:0:0/20"
]

const globalUnicast = "2000:0:0:0:0:0:0:0/3"
const holdingV4 = ["0:0:0:0:0:ffff:0:0/96", "64:ff9b:0:0:0:0:0:0/96"]

const numberOf = (text: string): { readonly value: bigint; readonly width: bigint } => {
  const v6 = text.includes(":")
  const size = v6 ? 16n : 8n
  const value = text
    .split(v6 ? ":" : ".")
    .reduce((sum, part) => (sum << size) | BigInt(v6 ? `0x${part}` : part), 0n)
  return { value, width: v6 ? 128n : 32n }
}

const holds = (block: string, value: bigint, width: bigint): boolean => {
  const [base = "", bits = ""] = block.split("/")
  const start = numberOf(base)
  const size = 1n << (start.width - BigInt(bits))
  return start.width === width && value >= start.value && value < start.value + size
}

const isPublicNumber = (value: bigint, width: bigint): boolean =>
  !special.some((block) => holds(block, value, width)) &&
  (width === 32n || holds(globalUnicast, value, width))

/** Whether the bytes are a public address in the model. */
export const isPublic = (bytes: ReadonlyArray<number>): boolean => {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const width = BigInt(bytes.length * 8)
  return holdingV4.some((block) => holds(block, value, width))
    ? isPublicNumber(value & 0xffffffffn, 32n)
    : isPublicNumber(value, width)
}

const bytesOf = (value: bigint, width: bigint): ReadonlyArray<number> =>
  Array.from({ length: Number(width / 8n) }, (_, index) =>
    Number((value >> (width - 8n * BigInt(index + 1))) & 0xffn)
  )

/** The first and last address of every block of the model, and their neighbours outside. */
export const edges: ReadonlyArray<ReadonlyArray<number>> = [
  ...special,
  ...holdingV4,
  globalUnicast,
  "64:ff9b:1:0:0:0:0:0/48",
  "fc00:0:0:0:0:0:0:0/7",
  "fe80:0:0:0:0:0:0:0/10",
  "fec0:0:0:0:0:0:0:0/10",
  "ff00:0:0:0:0:0:0:0/8",
  "100:0:0:0:0:0:0:0/64",
  "5f00:0:0:0:0:0:0:0/16"
].flatMap((block) => {
  const [base = "", bits = ""] = block.split("/")
  const { value, width } = numberOf(base)
  const last = value + (1n << (width - BigInt(bits))) - 1n
  return [value - 1n, value, last, last + 1n]
    .filter((edge) => edge >= 0n && edge < 1n << width)
    .map((edge) => bytesOf(edge, width))
})
