/** The files that examples name, as a repository and a server have them. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as SignedBom from "../shared/SignedBom.js"

/** The policy of examples. */
export const POLICY =
  "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"

/** A trust policy with a rule. */
export const TRUST = `_schema: https://example.com/schemas/trust-policy/v1
rules:
  - name: releases
    kinds: [provenance]
    signer:
      sigstore:
        roots: [public-good]
        issuer: https://token.actions.githubusercontent.com
        san: https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*
`

const WEB = "an archive\n"

const SIGNED = SignedBom.make("web.tgz")

const TEMPLATE = "version: 1\ntrail:\n  artifacts:\n    - name: web\n"

const JUNIT =
  '<?xml version="1.0"?><testsuite name="web" tests="2" failures="0" errors="0" skipped="0" time="1.5">' +
  '<testcase name="adds" classname="cart" time="1"/><testcase name="removes" classname="cart" time="0.5"/></testsuite>'

const sarif = (name: string): string =>
  JSON.stringify({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name, version: "1.0.0" } },
        results: [{ level: "note", ruleId: "R1", message: { text: "a long line" } }]
      }
    ]
  })

const SNYK = JSON.stringify({
  packageManager: "npm",
  vulnerabilities: [{ id: "SNYK-1", severity: "low", title: "a weak hash" }]
})

const TESTS =
  "tests:\n  - name: what a flow knows may run\n" +
  "    flows: { shop: { attestations: [ { name: unit, type: junit } ] } }\n    expect: COMPLIANT\n"

const LAYOUT = {
  index: {
    schemaVersion: 2,
    manifests: [
      {
        mediaType: "application/vnd.oci.image.manifest.v1+json",
        digest: `sha256:${"c".repeat(64)}`,
        size: 2
      }
    ]
  },
  version: { imageLayoutVersion: "1.0.0" }
}

const UNIT = { digests: { app: "d".repeat(64) }, creationTimestamp: 1_790_000_000 }

/** A program that stands for opa, and allows. */
const OPA = `#!/bin/sh
cat > /dev/null
echo '{"result":[{"expressions":[{"value":{"allow":true,"violations":[]}}]}]}'
`

const REPOSITORY = `version: 1
flow: shop
trail: "{commit}"
artifacts:
  web: { type: dir, path: dist/web }
`

/** Provenance without a signature about an artifact. */
export const provenance = (sha256: string): string =>
  JSON.stringify({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "web", digest: { sha256 } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: { buildType: "https://example.com/build/v1", externalParameters: {} },
      runDetails: { builder: { id: "https://example.com/builder" } }
    }
  })

const filesOf = (folder: string): { readonly [path: string]: string } => ({
  ".attestry.yaml": REPOSITORY,
  "dist/web/index.html": "<h1>shop</h1>\n",
  "dist/web/app.js.map": "{}",
  "ci/template.yaml": TEMPLATE,
  "minutes.pdf": "%PDF-1.4\n",
  "name.txt": "Jane Doe\n",
  "protections.yaml": "protections:\n  - kinds: [policy, attachment]\n    approvals: 1\n",
  "rules.json": JSON.stringify({
    rules: [{ issuer: "https://issuer.example.org", subject: "pipeline:shop:main" }]
  }),
  "sbom.cdx.json": JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name: "a", version: "1", purl: "pkg:npm/a@1" }]
  }),
  "reports/unit.xml": JUNIT,
  "snyk.json": SNYK,
  "snyk.sarif": sarif("Snyk Open Source"),
  "scan.sarif": sarif("lint"),
  "more.sarif": sarif("other"),
  "session.json": JSON.stringify({
    tool: { name: "agent", version: "2.1" },
    model: "model-1",
    started_at: 1_790_000_000,
    ended_at: 1_790_000_600,
    files_changed: [{ path: "dist/web/index.html", added: 1, removed: 0 }]
  }),
  "load.json": '{"p99": 210}',
  "load-test.json": '{"type": "object"}',
  "policies/prod-rules.yaml": POLICY,
  "policies/old-rules.yaml": POLICY.replace("true", "false"),
  "policies/prod-rules.test.yaml": TESTS,
  "policy.rego": "package policy\n",
  "params.json": '{"level": 2}',
  "trail.json": "{}",
  "running.json": JSON.stringify({ artifacts: [UNIT] }),
  "trust.yaml": TRUST,
  "sign-in.json": '{"session_hours": 8}',
  "paths.yaml": "artifacts:\n  web: { path: dist/web }\n",
  "reporters.yaml": `version: 1\nenvironments:\n  - { name: srv, kind: paths, paths: ["web=${folder}/dist/web"] }\n`,
  "compliance/flows/pay.yaml": "description: payments\n",
  "web.tgz": WEB,
  "sbom.dsse.json": SIGNED.envelope(SIGNED.statement(SignedBom.sha256(WEB))),
  "signers.yaml": SIGNED.trust,
  "trusted_root.json": JSON.stringify({
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1"
  }),
  "image/index.json": JSON.stringify(LAYOUT.index),
  "image/oci-layout": JSON.stringify(LAYOUT.version),
  "bin/opa": OPA,
  "bin/xdg-open": "#!/bin/sh\nexit 0\n"
})

/** Writes the files. */
export const write = (folder: string): void => {
  for (const [path, text] of Object.entries(filesOf(folder))) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (path.startsWith("bin/")) chmodSync(file, 0o755)
  }
}
