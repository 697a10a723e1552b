import type { Deal, Entered } from './deal.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** The lines that users entered, and the lines of the other side that they have seen. */
export function createEnteredLines({ result }: World, entered: Map<string, Entered>) {
  return {
    /** Notes an edit of lines that their key does not show, such as a revenue type. */
    noteType({ number }: Deal, side: keyof Entered, lines: string): void {
      for (const name of ['offerLines', 'revenueType'])
        entered.set(`${number} ${name}`, { ...entered.get(`${number} ${name}`), [side]: lines });
    },

    /**
     * A user who edits lines that the other side entered has seen them, so this edit counts from then on. Nobody can know that the CRM's
     * lines reached the vendor (`lead`) if the write's answer was lost.
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
