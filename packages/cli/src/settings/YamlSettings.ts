/** Reads a YAML settings file with core's strict parser; fails for an unknown key or a value of the wrong type. */
import { readFileSync } from "node:fs"
import * as NearestName from "@attestry/core/NearestName"
import { type CommandFailure, usage } from "../shared/CommandFailure.js"

type Path = ReadonlyArray<string | number>

/** A mapping of a settings file. */
export interface Reader {
  readonly text: (name: string) => string | undefined
  readonly texts: (name: string) => ReadonlyArray<string> | undefined
  readonly object: (name: string, keys?: ReadonlyArray<string>) => Reader | undefined
  /** The members of a mapping with arbitrary names. */
  readonly members: (
    name: string,
    keys: ReadonlyArray<string>
  ) => ReadonlyArray<readonly [string, Reader]>
  /** The mappings of a list. */
  readonly list: (name: string) => ReadonlyArray<Reader>
  readonly names: () => ReadonlyArray<string>
  /** The raw value of a member; undefined if it is absent. */
  readonly value: (name: string) => unknown
  /** The line of a member. */
  readonly lineOf: (name: string) => number
  readonly problem: (path: Path, message: string) => CommandFailure
}

const isMapping = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Place {
  readonly value: { readonly [name: string]: unknown }
  readonly path: Path
  readonly positionOf: (path: Path) => { readonly line: number; readonly column: number }
  readonly shown: string
}

const readerOf = (place: Place, keys: ReadonlyArray<string> | undefined): Reader => {
  const { value, path, positionOf, shown } = place
  const problem = (at: Path, message: string): CommandFailure => {
    const { line, column } = positionOf([...path, ...at])
    return usage(`${shown}:${line}:${column}: ${message}`)
  }
  for (const name of keys === undefined ? [] : Object.keys(value)) {
    if (keys?.includes(name) === true) continue
    const near = NearestName.find(name, keys ?? [])
    const hint = near === undefined ? `there is: ${keys?.join(", ")}` : `did you mean \`${near}\`?`
    throw problem([name], `unknown key \`${name}\`; ${hint}`)
  }
  const at = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
  const text = (name: string): string | undefined => {
    const found = at(name)
    if (found === undefined) return undefined
    if (typeof found !== "string" || found === "") throw problem([name], "expected a text")
    return found
  }
  const inner = (name: string, allowed?: ReadonlyArray<string>): Reader | undefined => {
    const found = at(name)
    if (found === undefined) return undefined
    if (!isMapping(found)) throw problem([name], "expected a mapping")
    return readerOf({ ...place, value: found, path: [...path, name] }, allowed)
  }
  return {
    text,
    texts: (name) => {
      const found = at(name)
      if (found === undefined) return undefined
      const items: ReadonlyArray<unknown> = Array.isArray(found) ? found : []
      const texts = items.filter((item): item is string => typeof item === "string" && item !== "")
      if (!Array.isArray(found) || texts.length !== items.length || texts.length === 0)
        throw problem([name], "expected a list of texts")
      return texts
    },
    object: inner,
    members: (name, allowed) => {
      const members = inner(name)
      return (members?.names() ?? []).flatMap((each) => {
        const member = members?.object(each, allowed)
        return member === undefined ? [] : [[each, member] as const]
      })
    },
    list: (name) => {
      const found = at(name)
      const items: ReadonlyArray<unknown> = Array.isArray(found) ? found : []
      if (found !== undefined && !Array.isArray(found)) throw problem([name], "expected a list")
      return items.map((item, index) => {
        if (!isMapping(item)) throw problem([name, index], "expected a mapping")
        return readerOf({ ...place, value: item, path: [...path, name, index] }, undefined)
      })
    },
    names: () => Object.keys(value),
    value: at,
    lineOf: (name) => positionOf([...path, name]).line,
    problem
  }
}

/** Reads the top-level mapping of a file. */
export const read = async (
  file: string,
  shown: string,
  keys: ReadonlyArray<string>
): Promise<Reader> => {
  const YamlText = await import("@attestry/core/YamlText")
  const Either = await import("effect/Either")
  const parsed = YamlText.parse(readFileSync(file, "utf8"))
  if (Either.isLeft(parsed)) {
    const [{ line, column, message }] = parsed.left.problems
    throw usage(`${shown}:${line}:${column}: ${message}`)
  }
  const { value, positionOf } = parsed.right
  if (!isMapping(value)) throw usage(`${shown}:1:1: expected a mapping`)
  return readerOf({ value, path: [], positionOf, shown }, keys)
}
