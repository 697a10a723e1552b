import {
  DETACHED_STATES,
  isMassChange,
  linkedForVerdict,
  MASS_CHANGE_STREAM,
  type MassChangeAllowed,
} from '../../src/domain/decide/mass-change.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';
import { counted } from '../../src/domain/values/counted.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { outage } from '../support/to-failure.ts';
import { pauseGroup } from './group-outage.ts';

const GROUP = 'whole-tenant';

/**
 * Pauses the tenant and throws a SYSTEMIC failure (the type for outages) if too many deals leave the scope (the rule that says which deals
 * are shared). The tenant file says how many deals may leave within a window of time. The deal of `link`, which is about to leave, keeps
 * its state and is synced after the pause.
 */
export async function pauseOnMassChange(deps: ActivityDeps, link: Link, stateAfter: LinkState): Promise<void> {
  const flows = link.crmId !== null && link.vendorId !== null && !DETACHED_STATES.has(link.state);
  if (!flows || !DETACHED_STATES.has(stateAfter)) return;
  const { guards } = deps.runtime(link.tenant).tenant;
  const at = deps.now();
  const allowed = (await deps.ledger.cursor(link.tenant, MASS_CHANGE_STREAM)) as MassChangeAllowed | null;
  const allowedUntilMs = allowed === null ? 0 : Date.parse(allowed.until);
  const sinceMs = Math.max(Date.parse(at) - guards.windowMs, allowedUntilMs);
  const since = new Date(sinceMs).toISOString();
  const detaching = await deps.ledger.noteDetaching(link.tenant, link.key, at, since);
  if (Date.parse(at) < allowedUntilMs || detaching < guards.minimum) return;
  const linked = await deps.ledger.countLinked(link.tenant, since, linkedForVerdict(detaching, guards));
  if (!isMassChange({ detaching, linked }, guards)) return;
  const minutes = Math.round(guards.windowMs / 60_000);
  const reason = `${detaching} of ${counted(linked, 'linked record')} would leave within ${minutes} min`;
  await pauseGroup(deps, link.tenant, GROUP, reason);
  throw outage(GROUP, `${GROUP} is paused: ${reason}`);
}
