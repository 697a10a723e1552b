import type { CrmUser, LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';
import { until } from '../../test/support/stack/stack.ts';

type Row = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

const [TRIES, PAUSE_MS] = [5, 500];
const LIMIT_MS = 600_000;

/** Edits a linked deal several times, one edit after the other. Returns the time of each until the vendor has it, in milliseconds. */
export async function timeEdits(
  user: CrmUser,
  adminUrl: string,
  crmId: string,
  { edits, everyMs, isOver = () => false, tell = () => {} }: EditsWanted,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let edit = 0; edit < edits && !isOver(); edit += 1) {
    const words = `edit ${Date.now()} ${edit}`;
    const beganMs = Date.now();
    const since = new Date(beganMs).toISOString();
    await patiently(() => user.update('Opportunity', crmId, { Description: words }));
    const update = await until(
      'an edit is at the vendor',
      async () => {
        const updates = await patiently(() => updatesSince(adminUrl, since));
        return updates.find(({ body }) => JSON.stringify(body).includes(words));
      },
      LIMIT_MS,
    );
    // The arrival time comes from the simulator's log, because the time of discovery depends on the polling interval.
    const ms = Date.parse(update.time) - beganMs;
    took.push(ms);
    tell(`an edit took ${Math.round(ms)} ms`);
    await new Promise((settle) => setTimeout(settle, everyMs));
  }
  return took;
}

/** Repeats a request whose idle connection was closed at the moment of use, which happens on a busy machine. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError) || left === 0) throw error;
      await new Promise((settle) => setTimeout(settle, PAUSE_MS));
    }
  }
}

async function updatesSince(adminUrl: string, since: string): Promise<readonly LoggedRequest[]> {
  const query = new URLSearchParams({ since, operation: 'updateLeadOpportunity' });
  const answer = await fetch(`${adminUrl}/requests?${query}`);
  return ((await answer.json()) as { readonly requests: readonly LoggedRequest[] }).requests;
}

export type EditsWanted = {
  readonly edits: number;
  readonly everyMs: number;
  readonly isOver?: () => boolean;
  readonly tell?: (line: string) => void;
};

export async function vendorIdOf(vendor: ReturnType<typeof simulatorAdmin>, crmId: string): Promise<string> {
  const found = await until('the deal is at the vendor', async () =>
    (await vendor.records<Row>('leadOpportunity')).find(({ fields }) => fields['partnerLeadOpportunityId'] === crmId),
  );
  return found.id;
}

export function median(all: readonly number[]): number {
  return [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
}
