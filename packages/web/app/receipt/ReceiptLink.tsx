/** The link that downloads the receipt of a verdict, which others check without this deployment. */
import { base } from "../shared/Navigation.js"
import { callFor, type Decided, fileOf } from "./ReceiptFile.js"

export const ReceiptLink = ({ org, ...decided }: { readonly org: string } & Decided) => (
  <a
    class="button"
    href={`${base}${callFor(org, decided).path}`}
    download={fileOf(decided)}
    title="The verdict, signed, for anybody who has the keys of the log"
  >
    Download the receipt
  </a>
)
