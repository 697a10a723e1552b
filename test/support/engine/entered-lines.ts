import type { Deal, Entered } from './deal.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** Of lines, what people entered and what they have seen of the other side's. */
export function createEnteredLines({ result }: World, entered: Map<string, Entered>) {
  return {
    /** An edit of lines that what they show does not tell. */
    noteType({ number }: Deal, side: keyof Entered, lines: string): void {
      for (const name of ['offerLines', 'revenueType'])
        entered.set(`${number} ${name}`, { ...entered.get(`${number} ${name}`), [side]: lines });
    },

    /**
     * Who edits lines that show what the other side's people entered, and not their own, has seen that: theirs is what counts from
     * then on. That the CRM's came to the vendor (`lead`) by a write whose answer was lost nobody can know.
     */
    seeLines({ number }: Deal, side: keyof Entered, shown: string, lead?: Raw): void {
      const theirs = side === 'crm' ? 'vendor' : 'crm';
      const key = `${number} offerLines`;
      const { [theirs]: value, [side]: own } = entered.get(key) ?? {};
      const isTyped = entered.get(`${number} revenueType`)?.[theirs] !== undefined;
      const isUnknown = lead !== undefined && result.isOpen(lead);
      if (value === shown && own !== shown && !isTyped && !isUnknown)
        entered.set(key, own === undefined ? {} : { [side]: own });
    },
  };
}
