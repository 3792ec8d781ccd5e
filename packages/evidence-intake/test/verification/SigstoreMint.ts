/** An instance of Sigstore in memory: it issues certificates, logs entries and signs timestamps for tests. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { initializeCA, initializeCTLog, initializeTLog, initializeTSA } from "@sigstore/mock"
import * as Documents from "./Documents.js"

export const ISSUER = "https://token.actions.githubusercontent.com"
export const SAN = "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/v1"

const ARC = "1.3.6.1.4.1.57264.1"
const SHA256_OID = "2.16.840.1.101.3.4.2.1"

const EXTENSIONS = [
  { oid: `${ARC}.8`, value: ISSUER },
  { oid: `${ARC}.9`, value: SAN },
  { oid: `${ARC}.11`, value: "github-hosted" },
  { oid: `${ARC}.12`, value: "https://github.com/acme/shop" },
  { oid: `${ARC}.14`, value: "refs/tags/v1" },
  { oid: `${ARC}.15`, value: "4711" },
  { oid: `${ARC}.20`, value: "push" }
]

const base64 = (bytes: ArrayBufferView): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()
const pairOf = () => generateKeyPairSync("ec", { namedCurve: "P-256" })

/** What is signed: an envelope around a payload, or a bare file. */
export interface MintOptions {
  readonly san?: string
  readonly extensions?: ReadonlyArray<{ oid: string; value: string; legacy?: boolean }>
  readonly file?: Uint8Array
  readonly payload?: Uint8Array
  /** The version of the log's entries: 2 has no time of its own. */
  readonly log?: 1 | 2
  readonly isStamped?: boolean
  /** A key that signs in place of a certificate. */
  readonly key?: { readonly privateKey: KeyObject; readonly hint: string }
}

/** The parts of a bundle in JSON that tests change. */
export interface MintedBundle {
  mediaType: string
  verificationMaterial: {
    certificate?: { rawBytes: string }
    publicKey?: { hint: string }
    tlogEntries: Array<MintedEntry>
    timestampVerificationData?: { rfc3161Timestamps: Array<{ signedTimestamp: string }> }
  }
  dsseEnvelope?: {
    payload: string
    payloadType: string
    signatures: Array<{ sig: string; keyid: string }>
  }
  messageSignature?: { messageDigest: { algorithm: string; digest: string }; signature: string }
}

export interface MintedEntry {
  logIndex: string
  logId: { keyId: string }
  kindVersion: { kind: string; version: string }
  integratedTime: string
  inclusionPromise?: { signedEntryTimestamp: string }
  inclusionProof?: {
    logIndex: string
    rootHash: string
    treeSize: string
    hashes: Array<string>
    checkpoint?: { envelope: string }
  }
  canonicalizedBody: string
}

/** What the log answers, as far as bundles need it. */
interface LoggedEntry {
  readonly body: string
  readonly integratedTime: number
  readonly logID: string
  readonly logIndex: number
  readonly verification: {
    readonly signedEntryTimestamp: string
    readonly inclusionProof: { readonly rootHash: string; readonly checkpoint: string }
  }
}

/** The bytes that a signature of an envelope is over. */
const encoded = (type: string, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload
  ])

const dsseBody = (payload: Uint8Array, signature: Buffer, version: 1 | 2) =>
  version === 1
    ? {
        apiVersion: "0.0.1",
        kind: "dsse",
        spec: {
          payloadHash: { algorithm: "sha256", value: sha256(payload).toString("hex") },
          signatures: [{ signature: base64(signature), verifier: "" }]
        }
      }
    : {
        apiVersion: "0.0.2",
        kind: "dsse",
        spec: {
          dsseV002: {
            payloadHash: { algorithm: "SHA2_256", digest: base64(sha256(payload)) },
            signatures: [{ content: base64(signature) }]
          }
        }
      }

const fileBody = (file: Uint8Array, signature: Buffer) => ({
  apiVersion: "0.0.1",
  kind: "hashedrekord",
  spec: {
    signature: { content: base64(signature), publicKey: { content: "" } },
    data: { hash: { algorithm: "sha256", value: sha256(file).toString("hex") } }
  }
})

/** The subject of the payload that is signed by default. */
export const SUBJECT = "ab".repeat(32)
export const PAYLOAD = Buffer.from(
  JSON.stringify({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "shop", digest: { sha256: SUBJECT } }],
    predicateType: Documents.PROVENANCE,
    predicate: {}
  })
)

/** Makes an instance whose clocks stand at an instant. */
export const instance = async (clock: Date, options: { readonly stampedAt?: Date } = {}) => {
  const pairs = { ca: pairOf(), ct: pairOf(), log: pairOf(), tsa: pairOf() }
  const ctlog = await initializeCTLog(pairs.ct, clock)
  const ca = await initializeCA(pairs.ca, ctlog, clock)
  const unlogged = await initializeCA(pairs.ca, undefined, clock)
  const tlog = await initializeTLog("https://log.example", pairs.log, clock)
  const tsa = await initializeTSA(pairs.tsa, options.stampedAt ?? clock)
  const validFor = { start: "2020-01-01T00:00:00Z" }
  const logOf = (baseUrl: string, publicKey: Buffer, keyId: string) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: base64(publicKey),
      keyDetails: "PKIX_ECDSA_P256_SHA_256",
      validFor
    },
    logId: { keyId }
  })
  const root = {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [logOf("https://log.example", tlog.publicKey, base64(sha256(tlog.publicKey)))],
    ctlogs: [logOf("https://ct.example", ctlog.publicKey, base64(ctlog.logID))],
    certificateAuthorities: [
      { certChain: { certificates: [{ rawBytes: base64(ca.rootCertificate) }] }, validFor }
    ],
    timestampAuthorities: [
      {
        certChain: {
          certificates: [
            { rawBytes: base64(tsa.intCertificate) },
            { rawBytes: base64(tsa.rootCertificate) }
          ]
        },
        validFor
      }
    ]
  }

  const certificate = async (publicKey: KeyObject, options: MintOptions, isLogged = true) =>
    base64(
      await (isLogged ? ca : unlogged).issueCertificate({
        publicKey: publicKey.export({ format: "der", type: "spki" }),
        subjectAltName: options.san ?? SAN,
        extensions: [...(options.extensions ?? EXTENSIONS)]
      })
    )

  const entry = async (body: { kind: string; apiVersion: string }): Promise<MintedEntry> => {
    const response: { readonly [uuid: string]: LoggedEntry } = await tlog.log(body)
    const [logged] = Object.values(response)
    if (logged === undefined) throw new Error("the log gave no entry")
    const { inclusionProof, signedEntryTimestamp } = logged.verification
    const isTimed = body.apiVersion === "0.0.1"
    return {
      logIndex: String(logged.logIndex),
      logId: { keyId: Buffer.from(logged.logID, "hex").toString("base64") },
      kindVersion: { kind: body.kind, version: body.apiVersion },
      integratedTime: isTimed ? String(logged.integratedTime) : "0",
      ...(isTimed ? { inclusionPromise: { signedEntryTimestamp } } : {}),
      inclusionProof: {
        logIndex: "0",
        rootHash: Buffer.from(inclusionProof.rootHash, "hex").toString("base64"),
        treeSize: "1",
        hashes: [],
        checkpoint: { envelope: inclusionProof.checkpoint }
      },
      canonicalizedBody: logged.body
    }
  }

  const stamp = async (signature: Buffer) => ({
    signedTimestamp: base64(
      await tsa.timestamp({
        artifactHash: sha256(signature),
        hashAlgorithmOID: SHA256_OID,
        nonce: 1,
        policyOID: `${ARC}.2`
      })
    )
  })

  const bundle = async (options: MintOptions = {}, isLogged = true): Promise<MintedBundle> => {
    const pair = pairOf()
    const signer = options.key?.privateKey ?? pair.privateKey
    const payload = options.payload ?? PAYLOAD
    const bytes = options.file ?? encoded(Documents.IN_TOTO, payload)
    const signature = sign(signer.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, signer)
    const body =
      options.file === undefined
        ? dsseBody(payload, signature, options.log ?? 1)
        : fileBody(options.file, signature)
    return {
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: {
        ...(options.key === undefined
          ? { certificate: { rawBytes: await certificate(pair.publicKey, options, isLogged) } }
          : { publicKey: { hint: options.key.hint } }),
        tlogEntries: [await entry(body)],
        ...(options.isStamped === true
          ? { timestampVerificationData: { rfc3161Timestamps: [await stamp(signature)] } }
          : {})
      },
      ...(options.file === undefined
        ? {
            dsseEnvelope: {
              payload: base64(payload),
              payloadType: Documents.IN_TOTO,
              signatures: [{ sig: base64(signature), keyid: "" }]
            }
          }
        : {
            messageSignature: {
              messageDigest: { algorithm: "SHA2_256", digest: base64(sha256(options.file)) },
              signature: base64(signature)
            }
          })
    }
  }

  return { root: JSON.stringify(root), bundle, certificate, stamp }
}
