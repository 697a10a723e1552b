import { log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import {
  isSuspect,
  type MetRefusal,
  metRefusalOf,
  type Relapses,
  relapsesOf,
  withAside,
} from '../../src/domain/loop/relapse.ts';
import { linkOf } from '../opportunity/observe.ts';
import { settle } from '../opportunity/settle.ts';
import { type SyncSummary, summarise } from '../opportunity/summary.ts';
import type { ActivityDeps, RecordArgs, TenantArgs } from '../support/deps.ts';
import { freshOutage } from '../support/to-failure.ts';
import { writableFailure } from '../support/writable-failure.ts';
import { PROBES } from './probes.ts';

/**
 * A request that a remote refused in a way that usually means that all requests of its operation group fail (requests that share a key or a
 * sign-in). `why`: the remote's answer, in codes.
 */
export type RefusedRequest = TenantArgs &
  Pick<MetRefusal, 'request'> & { readonly group: OperationGroup; readonly why: string };

/**
 * Whether a remote refuses only this request, while the other requests of its operation group (requests that share a key or a sign-in)
 * succeed. Lockstep tests the group only if the request is suspect, for example because it caused the group's last pause. The test sends
 * the group's probes (cheap test requests). If all probes succeed, sets the request aside until a person acts, and returns true.
 *
 * Returns false if the request is not suspect, or if a probe fails. Then also stores the request as the possible cause of a pause of the
 * group. For groups whose remote never refuses single requests, returns false and stores nothing.
 */
export async function isAlone(deps: ActivityDeps, { tenant, group, request, why }: RefusedRequest): Promise<boolean> {
  if (!OPERATION_GROUPS[group].refusesSingly) return false;
  const at = deps.now();
  const met: MetRefusal = { request, cause: why, at };
  const known = (await deps.ledger.cursor(tenant, relapsesOf(group))) as Relapses | null;
  if (isSuspect(known, met) && (await isWell(deps, tenant, group))) {
    await deps.ledger.saveCursor(tenant, relapsesOf(group), withAside(known, request), at);
    log.warn('a request is refused alone, and set aside', { tenant, group, request, why });
    return true;
  }
  await deps.ledger.saveCursor(tenant, metRefusalOf(group), met, at);
  return false;
}

/** Whether all probes (cheap test requests) of an operation group succeed. */
export async function isWell(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<boolean> {
  try {
    for (const probe of OPERATION_GROUPS[group].probes ?? []) await PROBES[probe](deps, deps.runtime(tenant));
    return true;
  } catch {
    return false;
  }
}

/**
 * Wraps an activity on a record. If a remote refuses only this record while the probes (cheap test requests) of the operation group
 * succeed, the record waits for a person and other records continue.
 */
export function settingAside<Args extends RecordArgs>(
  deps: ActivityDeps,
  run: (args: Args) => Promise<SyncSummary>,
): (args: Args) => Promise<SyncSummary> {
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      const refusal = freshOutage(writableFailure(error));
      const aside = refusal === null ? null : await setAside(deps, args, refusal);
      if (aside === null) throw error;
      return aside;
    }
  };
}

type Refusal = { readonly group: OperationGroup; readonly failure: ApplicationFailure };

async function setAside(
  deps: ActivityDeps,
  { tenant, key }: RecordArgs,
  { group, failure }: Refusal,
): Promise<SyncSummary | null> {
  const why = failure.message;
  if (!(await isAlone(deps, { tenant, group, request: `record ${key}`, why }))) return null;
  const link = await linkOf(deps, tenant, key);
  if (link.key !== key) return null;
  const settled = await settle(deps, link, { type: 'set-aside', why });
  return summarise(settled, { next: 'parked' }, 'set aside');
}
