import { crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { rotateUnderLoad } from '../../test/support/stack/rotate-under-load.ts';
import { type Stack, until } from '../../test/support/stack/stack.ts';
import type { Measured } from '../engine/table.ts';
import { countsOf } from './counts.ts';

export type RotationWanted = {
  readonly rotation: 'replace' | 'overlap';
  /** Deals that users share during the rotation. */
  readonly records: number;
  /** Orders that are read during the rotation. */
  readonly orders: number;
};

type Lead = { readonly fields: Readonly<Record<string, unknown>> };

const AT_ONCE = 5;
const LIMIT_MS = 1_800_000;
/** The maximum number of requests that can be under way before the first answer shows that the key has expired. */
export const MOST_ON_THEIR_WAY = 5;

/** Rotates the tenant's key while orders are read and deals are shared; returns the failures. */
export async function rotateMeanwhile(
  stack: Stack,
  { rotation, records, orders }: RotationWanted,
): Promise<readonly Measured[]> {
  await stack.startReceiver();
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  const user = crmUser(stack.salesforce.url, stack.salesforce.user.accessToken);
  const deals: string[] = [];
  const share = async (): Promise<void> => {
    for (let n = 0; n < records; n += AT_ONCE)
      deals.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, of) => user.deal(`Deal ${n + of}`)))));
  };
  const missing = async (): Promise<number> => {
    const leads = await vendor.records<Lead>('leadOpportunity');
    const byReference = Map.groupBy(leads, ({ fields }) => fields['partnerLeadOpportunityId']);
    return deals.filter((deal) => byReference.get(deal)?.length !== 1).length;
  };
  let sharing: Promise<void> | undefined;
  const { refused, refusedAfterwards, code } = await rotateUnderLoad(stack, rotation, {
    begin: () => {
      sharing = share();
    },
    isUnderWay: async () =>
      ((await countsOf(stack)).vendor['readOrder'] ?? 0) > orders / 4 && deals.length > records / 10,
    done: async () => {
      await sharing;
      await until('all deals are at the vendor once', async () => (await missing()) === 0, LIMIT_MS);
    },
    oneMore: async () => {
      deals.push(await user.deal('Deal afterwards'));
      await until('the deal is at the vendor', async () => (await missing()) === 0, LIMIT_MS);
    },
  });
  const [parked] = await stack.ledgerQuery("select count(*) as n from links where state = 'parked'");
  const row = (what: string, measured: number, limit: number | null): Measured => ({
    ...{ scenario: `keys that ${rotation}`, what, measured, limit },
  });
  return [
    row('not confirmed', code, 0),
    row('requests refused for their key', refused.length, rotation === 'overlap' ? 0 : MOST_ON_THEIR_WAY),
    row('refused after the new key took over', refusedAfterwards.length, 0),
    row('deals shared', deals.length, null),
    row('deals parked', Number(parked?.['n']), 0),
  ];
}
