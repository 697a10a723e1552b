import type { Notice } from './owner-notices.ts';
import { oneLine } from './shown-text.ts';

/** The name under which the ledger (Lockstep's database) stores news for a deal's owner: changes of the vendor's answers about the deal. */
export const DEAL_NEWS = 'Opportunity';

/**
 * The vendor's answers about a deal, each with its label in messages. When an answer changes, the opportunity's owner gets a notice.
 * `closing` means that the vendor won or lost the deal while the opportunity is open. All other names are those of the vendor's read-only
 * fields (sales spec 2.8).
 */
const ANSWERS = {
  approvalStatus: 'Approval',
  engagementType: 'Engagement',
  poStatus: 'Purchase order',
  poNumber: 'Purchase order number',
  sboStatus: 'Software booking',
  sboNumber: 'Software booking number',
  dsComment: 'Comment',
  closing: 'Closed at the vendor',
} as const;
type Answer = keyof typeof ANSWERS;
export const ANSWER_NAMES = Object.keys(ANSWERS) as readonly Answer[];

/**
 * A change of one of the vendor's answers about a deal (such as the approval status): the text before (`was`) and now (`is`); null if
 * unset.
 */
type Changed = { readonly was: string | null; readonly is: string | null };

/** The vendor's answers about a deal (such as the approval status) that changed between two reads of the vendor's record. */
export type DealNews = Readonly<Partial<Record<Answer, Changed>>>;

/** The maximum number of characters that a message shows of one value. */
const MOST_CHARACTERS = 1_000;

/**
 * One message about all changes of the vendor's answers about a deal, such as the approval status. `news`: the changes, oldest first. If an
 * answer has changed and then returned to its first value, it is left out. Null if no change is left. Pure.
 */
export function noticeOfDeal(news: readonly DealNews[]): Notice | null {
  const changed = ANSWER_NAMES.flatMap((name) => {
    const steps = news.flatMap((one) => one[name] ?? []);
    const [first, last] = [steps[0], steps.at(-1)];
    return first === undefined || last === undefined || first.was === last.is
      ? []
      : [{ label: ANSWERS[name], was: first.was, is: last.is }];
  });
  const [only, ...others] = changed;
  if (only === undefined) return null;
  return {
    subject:
      others.length === 0
        ? `Vendor: ${only.label} ${shown(only.is, 100)}`
        : `Vendor: ${changed.length} answers changed`,
    body: changed.map(sentence).join('\n'),
  };
}

function sentence({ label, was, is }: Changed & { readonly label: string }): string {
  return `${label}: ${shown(is)}${was === null ? '' : ` (was ${shown(was)})`}`;
}

/** A value on one line. Each line of a message is one answer of the vendor, so a line break in a value would look like a further answer. */
function shown(value: string | null, most = MOST_CHARACTERS): string {
  return oneLine(value, most) ?? 'empty';
}
