import { setCurrentDetails } from '@temporalio/workflow';
import type { ShardCounts } from '../activities/fleet/read-tenants.ts';
import type { ShardInput } from './messages.ts';
import { shards } from './proxies.ts';

/**
 * Reads the streams (regular reads of changed rows) of a shard's tenants (a shard is a group of tenants) for `forMs` milliseconds. If one
 * poll cannot read all of a stream, the tenant's own workflow for that stream reads the rest.
 */
export async function readTenants({ shard, of, forMs }: ShardInput): Promise<ShardCounts> {
  const summary = `looks at the tenants of shard ${shard + 1} of ${of}`;
  setCurrentDetails(summary);
  const counts = await shards.readTenants.executeWithOptions({ summary }, [{ shard, of, forMs }]);
  setCurrentDetails(detailsOf(counts));
  return counts;
}

function detailsOf({ tenants, polls, found, delegated, paused, troubled }: ShardCounts): string {
  const names = troubled.length === 0 ? '' : `; with trouble: ${troubled.join(', ')}`;
  return `${tenants} tenants, ${polls} polls: ${found} found something, ${delegated} left to a workflow of their own, ${paused} paused${names}`;
}
