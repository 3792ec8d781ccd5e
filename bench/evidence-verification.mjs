/**
 * Verifying a bundle of Sigstore: reading it, finding its rule and judging it, within 1.2 times the library, which
 * parses the same bytes and verifies them.
 *
 * Cost is CPU time per bundle.
 */
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as EvidenceVerifier from "@attestry/evidence-intake/EvidenceVerifier"
import * as TrustRoot from "@attestry/evidence-intake/TrustRoot"
import { bundleFromJSON } from "@sigstore/bundle"
import { TrustedRoot } from "@sigstore/protobuf-specs"
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify"
import { Either } from "effect"
import { compare } from "./lib/compare.mjs"
import { mintedBundle } from "./lib/minted-bundle.mjs"

const BUNDLES = 50

const side = (work) => {
  const cost = async () => {
    const before = process.cpuUsage()
    for (let count = 0; count < BUNDLES; count++) work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / BUNDLES
  }
  return { warmUp: cost, cost }
}

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const { bundle, root, policy, now } = await mintedBundle()
  const roots = new Map([["main", Either.getOrThrow(TrustRoot.parse(root))]])
  const ours = () => {
    const { documents } = Either.getOrThrow(EvidenceReader.read(bundle))
    const { verification } = EvidenceVerifier.verify(documents[0], { policy, roots, now })
    if (verification.state !== "verified") throw new Error(`it is ${verification.state}`)
  }
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(root)))
  const library = new Verifier(material)
  const alone = () => library.verify(toSignedEntity(bundleFromJSON(JSON.parse(bundle.toString()))))
  return [
    await compare({
      name: "verification of a bundle of Sigstore",
      goal: 0.83,
      unit: "µs CPU/bundle",
      subject: side(ours),
      baseline: side(alone)
    })
  ]
}
