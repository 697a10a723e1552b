import { evolve } from '../../src/domain/evolve/evolve.ts';
import type { Outcome } from '../../src/domain/evolve/outcome.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';

/**
 * Brings an outcome into the ledger, in one transaction. `planId`: the plan that was carried out. Answers the link as
 * it is then; one with another key where the link was superseded meanwhile.
 */
export function settle(deps: ActivityDeps, link: Link, outcome: Outcome, planId?: string): Promise<Link> {
  const at = deps.now();
  const change = evolve(link, outcome, at);
  return deps.ledger.settle(link.tenant, link.key, {
    ...change,
    at,
    ...(planId === undefined ? {} : { planId }),
  });
}
