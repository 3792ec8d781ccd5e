/**
 * The model of scopes of keys: sets of permissions, and addresses as numbers. Slow and plain.
 *
 * Addresses and networks are in the forms that `arbitraryAddress` and `arbitraryNetwork` make.
 */
import { type KeyScope, PRESETS, presets } from "@attestry/core/KeyScope"
import { lowest, type Permission, permissions } from "@attestry/core/Permission"
import { Role } from "@attestry/core/Role"
import * as FastCheck from "effect/FastCheck"

/** Every permission that a role has and a scope leaves. */
export const heldBy = (role: Role, scope: KeyScope | undefined): ReadonlySet<Permission> => {
  const asked = scope?.permissions
  const held = new Set<Permission>()
  for (const permission of permissions) {
    const ranks = Role.literals
    if (ranks.indexOf(role) > ranks.indexOf(lowest(permission))) continue
    const names: ReadonlyArray<string> = [
      permission,
      ...presets.filter((preset) => [...PRESETS[preset]].some((each) => each === permission))
    ]
    if (asked === undefined || asked.some((name) => names.includes(name))) held.add(permission)
  }
  return held
}

interface Numbered {
  readonly width: number
  readonly value: bigint
}

const numberOf = (address: string): Numbered => {
  const isV6 = address.includes(":")
  const parts = address.split(isV6 ? ":" : ".")
  return parts.reduce(
    ({ width, value }, part) => ({
      width: width + (isV6 ? 16 : 8),
      value: (value << (isV6 ? 16n : 8n)) | BigInt(isV6 ? `0x${part}` : part)
    }),
    { width: 0, value: 0n }
  )
}

/** Whether an address is in a network, both with all of their parts. */
export const isIn = (network: string, address: string): boolean => {
  const [first = "", length = "0"] = network.split("/")
  const [block, client] = [numberOf(first), numberOf(address)]
  const rest = BigInt(block.width - Number(length))
  return block.width === client.width && block.value >> rest === client.value >> rest
}

const printed = (width: number, value: bigint): string => {
  const size = width === 32 ? 8 : 16
  return Array.from({ length: width / size }, (_, index) =>
    ((value >> BigInt(width - size * (index + 1))) & ((1n << BigInt(size)) - 1n)).toString(
      size === 8 ? 10 : 16
    )
  ).join(size === 8 ? "." : ":")
}

/** Few numbers, so that networks often hold addresses. */
const arbitraryNumber = FastCheck.tuple(
  FastCheck.constantFrom(32, 128),
  FastCheck.nat(15),
  FastCheck.nat(3)
).map(([width, first, last]) => ({
  width,
  value: (BigInt(first) << BigInt(width - 4)) | BigInt(last)
}))

/** An address. */
export const arbitraryAddress: FastCheck.Arbitrary<string> = arbitraryNumber.map(
  ({ width, value }) => printed(width, value)
)

/** A network that begins with its first address. */
export const arbitraryNetwork: FastCheck.Arbitrary<string> = FastCheck.tuple(
  arbitraryNumber,
  FastCheck.constantFrom(1, 2, 3, 4, 31, 32)
).map(([{ width, value }, fewest]) => {
  const bits = fewest > 4 ? width - 32 + fewest : fewest
  const rest = BigInt(width - bits)
  return `${printed(width, (value >> rest) << rest)}/${bits}`
})

const arbitraryNames = FastCheck.array(FastCheck.constantFrom(...presets, ...permissions), {
  minLength: 1,
  maxLength: 6
})

/** A scope with permissions, networks, or both. */
export const arbitraryScope: FastCheck.Arbitrary<KeyScope> = FastCheck.oneof(
  FastCheck.record({ permissions: arbitraryNames }),
  FastCheck.record({
    networks: FastCheck.array(arbitraryNetwork, { minLength: 1, maxLength: 4 })
  }),
  FastCheck.record({
    permissions: arbitraryNames,
    networks: FastCheck.array(arbitraryNetwork, { minLength: 1, maxLength: 4 })
  })
)
