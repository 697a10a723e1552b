import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { LoggedRequest } from 'lockstep-simulators/testing';
import type { Stack } from '../support/stack/stack.ts';
import type { Deal } from './deals.ts';
import type { World } from './load.ts';

const FOLDER = join('.lockstep', 'chaos');
const MOST_DEALS = 5;
const MOST_LINES = 500;

/**
 * Writes what the deals went through that are not as they must be, one file each: its link and journal, and what both sides were asked
 * of it. What processes do between each other comes no second time; this is left of it. Gives the files.
 */
export async function keepEvidence(
  { ledger, tenant }: Stack,
  world: World,
  seed: string,
  deals: readonly Deal[],
): Promise<readonly string[]> {
  if (deals.length === 0) return [];
  await mkdir(FOLDER, { recursive: true });
  const [vendor, crm] = await Promise.all([world.vendor.allRequests(), world.crm.allRequests()]);
  return Promise.all(
    deals.slice(0, MOST_DEALS).map(async (deal) => {
      const { crmId, vendorId } = deal;
      const ids = [crmId, vendorId].filter((id) => id !== null);
      const link = vendorId === null ? null : await ledger.findLinkByIds(tenant, { vendorId });
      const journal = link === null ? [] : await ledger.journal(tenant, link.key, MOST_LINES);
      const asked = { vendor: about(vendor, ids), crm: about(crm, ids) };
      const file = join(FOLDER, `${seed}-deal-${deal.number}.json`);
      await writeFile(file, JSON.stringify({ deal, link, journal, asked }, null, 1));
      return file;
    }),
  );
}

/** Writes the histories of workflows that are still open, one file each, to be replayed. Gives the files. */
export async function keepHistories(
  { client }: Stack,
  seed: string,
  workflowIds: readonly string[],
): Promise<readonly string[]> {
  if (workflowIds.length === 0) return [];
  await mkdir(FOLDER, { recursive: true });
  return Promise.all(
    workflowIds.slice(0, MOST_DEALS).map(async (workflowId) => {
      const file = join(FOLDER, `${seed}-${workflowId.replaceAll('/', '-')}.json`);
      await writeFile(file, historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory()));
      return file;
    }),
  );
}

function about(requests: readonly LoggedRequest[], ids: readonly string[]): readonly LoggedRequest[] {
  return requests.filter((request) => {
    const text = JSON.stringify(request);
    return ids.some((id) => text.includes(id));
  });
}
