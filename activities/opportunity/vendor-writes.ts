import { goesOnAfterRefusal } from '../../src/domain/evolve/after-refusal.ts';
import type { Planned } from '../../src/domain/evolve/outcome.ts';
import type { WaitClass } from '../../src/domain/evolve/retry-schedule.ts';
import { fieldsNamedByVendor, offersNamedByVendor } from '../../src/domain/mapping/index.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorWrite } from '../../src/domain/record/plan.ts';
import { orgLabels } from '../../src/observe/org-labels.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { settle, settleUpdate } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

/**
 * A vendor write that is being sent or was sent, with the plan that it executes. `link`: the stored pair of CRM record and vendor record,
 * as it was before the write.
 */
export type VendorWriteUnderWay = Planned<VendorWrite> & { readonly link: Link; readonly planId: string };

const REFUSALS: ReadonlySet<string> = new Set(['invalid', 'bad-date', 'bad-period']);

/**
 * Kinds of vendor errors after which a retry schedule sends the write again. The value is the class of the wait: `passing` for a temporary
 * refusal, `unknown` for an undocumented answer. A 404 counts as undocumented, not as a permanent refusal, because the sales documents do
 * not define it (sales spec 7).
 */
const TRIED_AGAIN: ReadonlyMap<string, WaitClass> = new Map([
  ['busy', 'passing'],
  ['unknown', 'unknown'],
  ['not-found', 'unknown'],
]);

/**
 * Handles a failed vendor write. Parks the record (it waits for a person) after a permanent refusal, and leaves a temporary or undocumented
 * refusal to the retry schedule. Throws every other failure. After a failure of the vendor's request, first stores whether the write was
 * certainly not applied. Otherwise the write stays in doubt (it may have been applied).
 */
export async function vendorWriteFailed(
  deps: ActivityDeps,
  { link, planId, plan, generation }: VendorWriteUnderWay,
  error: unknown,
): Promise<SyncSummary> {
  if (!(error instanceof PartnerApiError)) throw toFailure(error);
  if (REFUSALS.has(error.kind)) {
    const code = error.code ?? `HTTP ${error.status}`;
    const { fields, traceId } = error;
    const named = fieldsNamedByVendor([], error.vendorMessage, plan.intent.fields);
    const offers = offersNamedByVendor(plan.intent.record.offerLines ?? [], error.vendorMessage);
    const refused = {
      type: 'vendor-refused',
      plan,
      generation,
      code,
      fields,
      named,
      offers,
      traceId,
      said: error.vendorMessage,
      labels: await orgLabels(deps.runtime(link.tenant).crm),
    } as const;
    const settled = await settle(deps, link, refused, planId);
    const next = goesOnAfterRefusal(refused) ? 'plan-again' : 'parked';
    return summarise(settled, { next }, `refused ${code}`);
  }
  const waits = TRIED_AGAIN.get(error.kind);
  if (waits !== undefined) return refusedForNow(deps, { link, planId, plan, generation }, error, waits);
  const what = `${error.kind}${error.code === null ? '' : ` ${error.code}`}`;
  const applied = error.sent === 'no' ? 'no' : 'unknown';
  await settleUpdate(deps, link, { type: 'vendor-write-failed', plan, generation, what, applied }, planId);
  throw toFailure(error);
}

async function refusedForNow(
  deps: ActivityDeps,
  { link, planId, plan, generation }: VendorWriteUnderWay,
  { code, status, fields, sent, vendorMessage: said }: PartnerApiError,
  waits: WaitClass,
): Promise<SyncSummary> {
  const answered = [`HTTP ${status}`, ...(code === null ? [] : [code])].join(' ');
  const applied = sent === 'no' ? 'no' : 'unknown';
  const settled = await settleUpdate(
    deps,
    link,
    { type: 'refused-for-now', side: 'vendor', waits, code: answered, fields, applied, plan, generation, said },
    planId,
  );
  return summarise(settled, { next: 'parked' }, `refused for now ${answered}`);
}
