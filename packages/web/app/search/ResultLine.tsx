/** One search result: type, name, verdict and location. */
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import type { SearchResult } from "./SearchResult.js"

export const ResultLine = ({ result }: { readonly result: SearchResult }) => (
  <>
    {result.verdict === undefined ? null : <VerdictMark verdict={result.verdict} />}
    <span class="result-name" title={Reveal.plain(result.name)}>
      <RevealedText text={Shorten.middle(result.name, 64)} />
    </span>
    {result.place === undefined ? null : (
      <span class="quiet">
        <RevealedText text={Shorten.middle(result.place, 40)} />
      </span>
    )}
  </>
)
