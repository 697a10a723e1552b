import type { CrmUser } from '../../test/support/simulators/crm-user.ts';
import type { simulatorAdmin } from '../../test/support/simulators/simulator-admin.ts';
import { until } from '../../test/support/stack/stack.ts';

type Row = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

/** A user's edits of one linked deal, one after the other: how long each takes to the vendor, in milliseconds. */
export async function timeEdits(
  user: CrmUser,
  adminUrl: string,
  crmId: string,
  { edits, everyMs, isOver = () => false, tell = () => {} }: EditsWanted,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let edit = 0; edit < edits && !isOver(); edit += 1) {
    const words = `edit ${Date.now()} ${edit}`;
    const [beganMs, since] = [performance.now(), new Date().toISOString()];
    await user.update('Opportunity', crmId, { Description: words });
    await until(
      'an edit is at the vendor',
      async () => (await updatesSince(adminUrl, since)).includes(words),
      120_000,
    );
    const ms = performance.now() - beganMs;
    took.push(ms);
    tell(`an edit took ${Math.round(ms)} ms`);
    await new Promise((settle) => setTimeout(settle, everyMs));
  }
  return took;
}

async function updatesSince(adminUrl: string, since: string): Promise<string> {
  const query = new URLSearchParams({ since, operation: 'updateLeadOpportunity' });
  return (await fetch(`${adminUrl}/requests?${query}`)).text();
}

export type EditsWanted = {
  readonly edits: number;
  readonly everyMs: number;
  readonly isOver?: () => boolean;
  readonly tell?: (line: string) => void;
};

export async function vendorIdOf(vendor: ReturnType<typeof simulatorAdmin>, crmId: string): Promise<string> {
  const found = await until('the deal is at the vendor', async () =>
    (await vendor.records<Row>('leadOpportunity')).find(
      ({ fields }) => fields['partnerLeadOpportunityId'] === crmId,
    ),
  );
  return found.id;
}

export function median(all: readonly number[]): number {
  return [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
}
