/** Builds the page that verifies audit capsules: one HTML file with its script and its style inside. */
import { createHash } from "node:crypto"
import { join } from "node:path"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1f2328, #e6edf3); background: light-dark(#fff, #0d1117) }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
label { display: block; border: 2px dashed light-dark(#6b7280, #8b93a0); border-radius: 8px; padding: 2rem; text-align: center }
input { font: inherit; max-width: 100% }
li, summary { overflow-wrap: anywhere }
details { margin: 1rem 0 }
summary { cursor: pointer; font-weight: 600 }
.proved { color: light-dark(#116329, #4ac26b) }
.doubtful { color: light-dark(#7d4e00, #d4a72c) }
.wrong { color: light-dark(#a40e26, #ff8182) }
.took { opacity: .75 }
progress { display: block; width: 100% }
`

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** The policy of the page: it runs its own script, and sends nothing. */
const policyOf = (script) =>
  `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; worker-src blob:; base-uri 'none'; form-action 'none'`

const pageOf = (script) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policyOf(script)}">
<title>Verify an audit capsule</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Verify an audit capsule</h1>
<p>This page recomputes every verdict in a capsule on this machine. It sends nothing, and works without a network.</p>
<label>Drop a capsule here, or choose one: <input type="file" accept=".zip"></label>
<div id="result" role="status" aria-live="polite"></div>
<noscript>This page needs JavaScript.</noscript>
</main>
<script>${script}</script>
</body>
</html>
`

/** Builds the page, and says what is known about it. */
export const buildVerify = async ({ build, shared, publish, root }) => {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: { verify: join(root, "app/capsule/verify.ts") },
    format: "iife",
    sourcemap: false,
    define: { "process.env.NODE_ENV": '"production"' }
  })
  // WHY: the text would end the element of the script.
  const script = outputFiles[0].text.replaceAll("</script", "<\\/script")
  const page = publish("verify.html", Buffer.from(pageOf(script)))
  return { verify: { ...page, policy: policyOf(script) }, inputs: Object.keys(metafile.inputs) }
}
