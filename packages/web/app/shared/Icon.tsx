/** Icons as SVG. They are decorative: the text beside them has the meaning. */
import {
  Activity,
  Bell,
  BookCheck,
  Boxes,
  Check,
  ClipboardList,
  Clock,
  Copy,
  GitBranch,
  Hammer,
  Hourglass,
  Keyboard,
  LayoutDashboard,
  LogOut,
  Menu,
  Monitor,
  Moon,
  Package,
  RefreshCw,
  Rocket,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  Sun,
  Users,
  X
} from "lucide"
import { h } from "preact"

const ICONS = {
  activity: Activity,
  bell: Bell,
  book: BookCheck,
  boxes: Boxes,
  check: Check,
  clipboard: ClipboardList,
  clock: Clock,
  close: X,
  copy: Copy,
  flows: GitBranch,
  hammer: Hammer,
  hourglass: Hourglass,
  keyboard: Keyboard,
  menu: Menu,
  moon: Moon,
  overview: LayoutDashboard,
  package: Package,
  refresh: RefreshCw,
  rocket: Rocket,
  scroll: ScrollText,
  search: Search,
  settings: Settings,
  shield: ShieldCheck,
  signOut: LogOut,
  sun: Sun,
  system: Monitor,
  users: Users
} as const

export type IconName = keyof typeof ICONS

/** An icon of 16 pixels, in the colour of its text. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {ICONS[name].map(([tag, attributes], index) => h(tag, { key: index, ...attributes }))}
  </svg>
)
