/**
 * `layer` of `@effect/vitest` replaces the methods of `it`, and files that share a thread share `it`: each file begins
 * with the methods that the first one found.
 */
import { it } from "@effect/vitest"

const KEY = Symbol.for("attestry.methods-of-it")

const found: unknown = Reflect.get(globalThis, KEY)
const methods: object = typeof found === "object" && found !== null ? found : { ...it }
Reflect.set(globalThis, KEY, methods)
Object.assign(it, methods)
